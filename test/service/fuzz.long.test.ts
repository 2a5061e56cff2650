import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { sql } from 'kysely';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { Semaphore } from '../../service/concurrency/semaphore.ts';
import { entryOf } from '../../service/http/codes.ts';
import type { OpenApi } from '../../service/http/openapi.ts';
import { serve } from '../../service/http/serve.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { AREAS } from '../../service/server.ts';
import type { Area } from '../../service/service.ts';
import { draftToJson } from '../../src/api/draft-json.ts';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import { SCOPES } from '../../src/api/scopes.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { within } from '../waiting.ts';
import { PIN } from './custody-setup.ts';
import { type Caller, type Known, requests } from './fuzz-requests.ts';
import { basic, bearer, type Tested } from './harness.ts';
import { startUsers, type User, type UsersTest } from './users-setup.ts';

/** Requests per operation. `test/long` makes more. */
const RUNS = Number(process.env['CASES'] ?? 5);
/** Calls that read the node, sign or send, and must succeed at least once: 50 requests or more. */
const REACHED = [
  'readBalance',
  'listTokenBalances',
  'readTokenBalance',
  'buildTransaction',
  'executeTransaction',
  'executeApproved',
  'estimateTransaction',
  'createSignature',
  'readTransactionStatus',
  'swapPairs',
  'swapRates',
  'createSwap',
];
/** Requests at a time: they are sent from the process that answers them, which would time out those that it cannot send. */
const AT_ONCE = 100;

let at: UsersTest;
let service: Tested;
let document: OpenApi;
let ajv: Ajv2020;
/** Token of an application with every scope. */
let token: string;
/** For the calls that take a client's secret. */
let client: { id: string; secret: string };
/** A user with an enrolled device. */
let user: User;
let ethereum: LocalEthereum;
/** Each has a wallet with coins and tokens. */
let callers: { user: Caller; shop: Caller };
/** The shop's token manages policies. */
let managers: typeof callers;

/** The rest of the contract: validated like any call, then refused. */
const rest: Area = (app) => {
  for (const route of Object.values(contract) as Route[])
    if (!app.served.includes(route))
      serve(app, route, () => {
        throw new ConnectError('wallet.forbidden', 'There is no such wallet.');
      });
};

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  await addExchanges(ethereum);
  const { network } = ethereum;
  at = await startUsers(
    {
      networks: { customNodes: true, reported: [], networks: [network] },
      outboundRanges: [readRange('127.0.0.0/8')],
    },
    { areas: [...AREAS, rest] },
  );
  ({ service } = at);
  client = await service.client();
  token = (await service.tokens(SCOPES.filter((scope) => scope !== 'manage:policies'))).access_token;
  user = await at.user();
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
  const { body: made } = await at.call<CreatedWallet>(token, 'POST', '/api/wallets', order);
  callers = {
    user: { token: user.token, known: await knownFor(await user.wallet()) },
    shop: { token, known: await knownFor(made) },
  };
  const { access_token: managing } = await service.tokens(['manage:policies']);
  // Of no other test: what it may sign changes all the time.
  const { id } = (await user.wallet()) as { id: string };
  const known = { of: ['wallet'], id: [id], secretType: ['ETHEREUM'] };
  managers = { user: callers.user, shop: { token: managing, known } };
  document = (await (await service.get('/openapi.json')).json()) as OpenApi;
  ajv = new Ajv2020({ strict: false, allErrors: false });
  ajv.addSchema(document, 'service');
});
after(async () => {
  await at.close();
  await ethereum.close();
});

async function knownFor({ id, address }: CreatedWallet): Promise<Known> {
  const hash = await ethereum.give('ETH', address);
  await ethereum.give('DUSD', address);
  const { network } = ethereum;
  const tokens = network.tokens.map((token) => token.address);
  const dusd = ethereum.contracts['DUSD']!;
  const custom = { name: 'Mine', nodeUrl: network.nodes[0], chainId: network.chainId };
  return {
    walletId: [id],
    id: [id],
    destinationWalletId: [id],
    pincode: [PIN],
    next: [PIN],
    to: [address, ...tokens],
    from: [address],
    tokenAddress: tokens,
    token: tokens,
    fromToken: ['', '', dusd],
    toToken: [dusd, dusd, ''],
    'contract-addresses': tokens,
    value: ['1', '0.001', 1, '1000000'],
    amount: ['1', '0.001', 1],
    secretType: ['ETHEREUM'],
    fromSecretType: ['ETHEREUM'],
    toSecretType: ['ETHEREUM'],
    hash: [hash],
    data: ['0x', '0x68656c6c6f', null],
    gas: [null, 0, 100_000],
    gasPrice: [null, '2000000000'],
    maxFeePerGas: [null],
    maxPriorityFeePerGas: [null],
    accessList: [null, []],
    dependsOn: [null],
    feeLimit: [null],
    format: [null],
    purpose: [null],
    annex: [null],
    nonce: [null, 0, 7],
    network: [network.id, null, network.id, null, custom],
    nodeUrl: [custom.nodeUrl, 'http://127.0.0.1:1', 'http://10.0.0.1/'],
    functionName: ['balanceOf', 'transfer(address,uint256)'],
    inputs: [[], [{ type: 'address', value: address }]],
    // Roughly what one is worth in the other.
    inputAmount: ['0.01'],
    outputAmount: ['0.0000001'],
    slippage: [0.5, '1'],
    exchange: ['Uniswap V2', 'Uniswap V3'],
    draft: [await draftFor(id, address)],
  };
}

/** A draft with the next nonce. */
async function draftFor(walletId: string, address: string): Promise<string> {
  const { network } = ethereum;
  const chain = await loadChain('ETHEREUM');
  const { parse } = await loadPayloads('ETHEREUM');
  const to = network.tokens[0]!.address;
  const request = parse({ type: 'ETH_TRANSACTION', walletId, to, value: 1, data: '0x' });
  return draftToJson(await chain.prepare(request, address, chain.node(network)));
}

/** Undoes locks and archiving by earlier requests, which would stop later ones early. */
async function unlockAll(): Promise<void> {
  const { db } = service.service;
  await db.updateTable('pins').set({ cleared: sql`tries`, locked_until: null }).execute();
  await db.updateTable('wallets').set({ archived_at: null }).execute();
  for (const { known } of Object.values(callers))
    known['draft'] = [await draftFor(known['walletId']![0] as string, known['from']![0] as string)];
}

/** Whether a value matches the schema at a JSON pointer of the document. */
function fits(pointer: string[], value: unknown): boolean {
  const path = pointer
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  return ajv.validate({ $ref: `service#/${path}` }, value) as boolean;
}

test('no request generated from the contract breaks the service, and every answer matches its schema', async () => {
  const seen: Record<number, number> = {};
  const succeeded = new Set<string>();
  const unlisted = new Set<string>();
  const slots = new Semaphore(AT_ONCE);
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      await unlockAll();
      const listed = new Set(
        Object.values(operation.responses['default']!.content).flatMap(({ examples = {} }) =>
          Object.keys(examples),
        ),
      );
      const samples = fc.sample(
        requests(document, path.startsWith('/api/policies') ? managers : callers, {
          method: method.toUpperCase(),
          path,
          is: operation,
        }),
        {
          numRuns: REACHED.includes(operation.operationId) ? Math.max(50, 5 * RUNS) : RUNS,
          seed: 4001,
        },
      );
      await Promise.all(
        samples.map(async ({ path: sent, init, byUser, proof }) => {
          const url = service.url + sent;
          if (byUser && operation.parameters.some((each) => each.name === 'DPoP')) {
            const proven = { method: init.method!, url: url.split('?', 1)[0]!, accessToken: user.token };
            init.headers.set('DPoP', proof ?? (await user.device.prove(proven)));
          }
          if (operation.security?.some((one) => one['client']))
            init.headers.set('Authorization', basic(client)['Authorization']!);
          const [response, body] = await slots.run(async () => {
            const answer = await within(fetch(url, init), `${method} ${url}`);
            return [answer, (await answer.json()) as unknown] as const;
          });
          const what = `${method} ${url} ${String(init.body)} → ${response.status} ${JSON.stringify(body)}`;
          const { code } = body as { code?: string };
          // An unreachable node that the request itself named, or overload on a busy machine.
          const excused =
            (code === 'node.unreachable' && /nodeUrl/.test(String(init.body))) ||
            code === 'service.unreachable';
          assert.ok(response.status < 500 || excused, what);
          if (response.ok) succeeded.add(operation.operationId);
          // A path without a route belongs to no operation.
          else if (code !== undefined && code !== 'request.not-found' && !listed.has(entryOf(code)))
            unlisted.add(`${operation.operationId} ${code}`);
          seen[response.status] = (seen[response.status] ?? 0) + 1;
          const type = response.headers.get('content-type')!.split(';')[0]!;
          // A path without a route belongs to no operation.
          if (response.status === 404 && type === 'application/problem+json') return;
          const status = response.ok ? String(response.status) : 'default';
          const pointer = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
          assert.ok(fits(pointer, body), `${what}\n${ajv.errorsText()}`);
        }),
      );
    }
  assert.deepEqual([...unlisted].toSorted(), [], 'add these to `errors` of the call in ROUTE_NOTES');
  // The generator must reach the handlers, too.
  assert.ok(seen[403]! > 30, JSON.stringify(seen));
  assert.ok(seen[400]! > 100, JSON.stringify(seen));
  for (const name of REACHED) assert.ok(succeeded.has(name), `${name} never succeeded`);
});

test('the contract refers to exactly the schemas that it defines', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name!,
  );
  assert.deepEqual([...new Set(names)].sort(), Object.keys(document.components.schemas).sort());
  assert.equal(document.openapi, '3.1.0');
});

test('answers match openapi.json', async () => {
  for (const [path, route] of [
    ['/api/profile', '/api/profile'],
    ['/auth/realms/main/protocol/openid-connect/certs', '/auth/realms/{realm}/protocol/openid-connect/certs'],
    [
      '/auth/realms/main/.well-known/openid-configuration',
      '/auth/realms/{realm}/.well-known/openid-configuration',
    ],
  ] as const) {
    const response = await service.get(path, bearer(token));
    assert.equal(response.status, 200);
    const pointer = ['paths', route, 'get', 'responses', '200', 'content', 'application/json', 'schema'];
    assert.ok(fits(pointer, await response.json()), `${path}: ${ajv.errorsText()}`);
  }
});
