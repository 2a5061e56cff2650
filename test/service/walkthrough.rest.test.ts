/** The walkthrough of docs/service.md, and the example of docs/swaps.md after it, command by command, as a back-end engineer types it beside `npm start`. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { JsonRpcProvider } from 'ethers';
import { type Demo, startDemo } from '../../demo/start.ts';
import { type Listening, listen } from '../../service/listen.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { newLog } from './logs.ts';
import { codeIn, openShell } from './shell-walk.ts';

const RECIPIENT = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

/** What each chain builds. */
const BUILDS: Record<SecretType, readonly string[]> = {
  ETHEREUM: ['TRANSFER', 'GAS_TRANSFER', 'TOKEN_TRANSFER', 'NFT_TRANSFER', 'CONTRACT_EXECUTION'],
  GOCHAIN: ['TRANSFER', 'GAS_TRANSFER', 'TOKEN_TRANSFER', 'NFT_TRANSFER', 'CONTRACT_EXECUTION'],
  VECHAIN: ['TRANSFER', 'GAS_TRANSFER', 'TOKEN_TRANSFER', 'CONTRACT_EXECUTION'],
  TRON: ['TRANSFER', 'GAS_TRANSFER', 'TOKEN_TRANSFER', 'CONTRACT_EXECUTION'],
  BITCOIN: ['TRANSFER', 'GAS_TRANSFER'],
  LITECOIN: ['TRANSFER', 'GAS_TRANSFER'],
  AETERNITY: ['TRANSFER', 'GAS_TRANSFER'],
};

/** Every field of the interface's resources with its type; `?` is nullable. */
const FIELDS = {
  token: {
    access_token: 'string',
    expires_in: 'integer',
    refresh_expires_in: 'integer',
    refresh_token: 'string',
    token_type: 'string',
    'not-before-policy': 'integer',
    session_state: 'string',
    scope: 'string',
  },
  wallet: {
    id: 'string',
    address: 'string',
    walletType: 'string',
    secretType: 'string',
    createdAt: 'integers',
    archived: 'boolean',
    alias: 'string',
    description: 'string',
    primary: 'boolean',
    hasCustomPin: 'boolean',
    status: 'string',
  },
  balance: {
    available: 'boolean',
    secretType: 'string',
    balance: 'number',
    gasBalance: 'number',
    symbol: 'string?',
    gasSymbol: 'string?',
    rawBalance: 'string',
    rawGasBalance: 'string',
    decimals: 'number',
  },
  tokenBalance: {
    tokenAddress: 'string',
    rawBalance: 'string',
    balance: 'number',
    decimals: 'number',
    symbol: 'string',
    logo: 'string',
    type: 'string',
    transferable: 'boolean',
  },
  nonFungible: {
    id: 'string',
    tokenId: 'string',
    owner: 'string',
    name: 'string',
    description: 'string',
    url: 'string',
    backgroundColor: 'string?',
    imageUrl: 'string',
    imagePreviewUrl: 'string?',
    imageThumbnailUrl: 'string?',
  },
  contract: {
    name: 'string',
    description: 'string',
    address: 'string',
    symbol: 'string',
    url: 'string',
    imageUrl: 'string',
    type: 'string',
  },
  tradingAsset: { secretType: 'string', symbol: 'string', tokenAddress: 'string' },
  rate: {
    exchange: 'string',
    orderType: 'string',
    inputAmount: 'number',
    outputAmount: 'number',
    slippage: 'number',
    fee: 'number',
  },
  profile: {
    userId: 'string',
    hasMasterPin: 'boolean',
    username: 'string?',
    email: 'string?',
    firstName: 'string?',
    lastName: 'string?',
  },
} as const;

type Body = Record<string, unknown>;

interface Exchange {
  method: string;
  path: string;
  query: URLSearchParams;
  sent: Body;
  status: number;
  body: unknown;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return value.every(Number.isInteger) ? 'integers' : 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function hasFields(value: unknown, fields: Readonly<Record<string, string>>, what: string): void {
  const found = value as Body;
  for (const [name, type] of Object.entries(fields)) {
    const field = found[name];
    if (type.endsWith('?') && field === null) continue;
    const wanted = type.replace('?', '');
    assert.ok(
      typeOf(field) === wanted || (wanted === 'number' && typeof field === 'number'),
      `${what}.${name} is ${typeOf(field)}, not ${type}`,
    );
  }
}

/** The names of all fields; of a list, those of its first entry. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(fieldsOf);
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, fieldsOf(field)]));
}

/** A proxy that records every exchange. */
async function startRecorder(target: string, exchanges: Exchange[]): Promise<Listening> {
  return listen(
    async (request, response) => {
      const { method = 'GET', url = '/' } = request;
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const sent = await text(request);
      const answer = await fetch(target + url, {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'GET' ? {} : { body: sent }),
      });
      const body = await answer.text();
      const { pathname, searchParams } = new URL(url, target);
      exchanges.push({
        method,
        path: pathname,
        query: searchParams,
        sent: sent.startsWith('{') ? (JSON.parse(sent) as Body) : {},
        status: answer.status,
        body: JSON.parse(body) as unknown,
      });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(body);
    },
    { port: 0, setting: 'the recorder' },
  );
}

/** The commands of the walkthrough, without those for chains that cannot run here. */
function commands(running: readonly string[]): string {
  return codeIn('service.md', '## Walkthrough')
    .flatMap((block) => block.split('\n\n'))
    .filter((part) => {
      const chain = /^wallet ([A-Z]+)$/m.exec(part)?.[1];
      return chain === undefined || running.includes(chain);
    })
    .join('\n');
}

describe('the walkthrough', () => {
  const folder = temporaryFolder();
  const exchanges: Exchange[] = [];
  let demo: Demo;
  let recorder: Listening | undefined;
  let received: bigint;
  /** Of docs/swaps.md. */
  let swapping: Exchange[];

  before(async () => {
    const settings = { DATA_DIR: dataIn(folder), LOG_LEVEL: 'trace' };
    demo = await startDemo({ service: settings, logTo: newLog() });
    recorder = await startRecorder(demo.service!.url, exchanges);
    const ethereum = new JsonRpcProvider(demo.local.ETHEREUM!.network.nodes[0], undefined, {
      cacheTimeout: -1,
    });
    const before = await ethereum.getBalance(RECIPIENT);
    const script = commands(Object.keys(demo.local))
      .replace('http://localhost:4001', `http://localhost:${recorder.port}`)
      .replace('http://localhost:5173', demo.demo);
    const shell = openShell(settings);
    await shell.run(script);
    const walked = exchanges.length;
    // The walkthrough went on to wallets of other chains.
    await shell.run('WALLET=$(get "/api/wallets?secretType=ETHEREUM" | field "[0].id")');
    await shell.run(codeIn('swaps.md', '## With the service').join('\n'));
    swapping = exchanges.slice(walked + 1);
    await shell.close();
    received = (await ethereum.getBalance(RECIPIENT)) - before;
    ethereum.destroy();
  });
  after(async () => {
    await recorder?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Responses of a call, by its path with `*` for each parameter. */
  const answers = (method: string, path: string): Body[] =>
    exchanges
      .filter(
        (each) => each.method === method && new RegExp(`^${path.replaceAll('*', '[^/]+')}$`).test(each.path),
      )
      .map(({ body }) => body as Body);

  it('has no command that fails', () => {
    assert.ok(exchanges.length > 40);
    assert.deepEqual(
      exchanges
        .filter(({ status }) => status !== 200 && status !== 201)
        .map(({ method, path, sent, body }) => [method, path, sent, body]),
      [],
    );
  });

  it('gets answers that the service’s own OpenAPI describes', async () => {
    const url = `${demo.service!.url}/openapi.json`;
    const { paths, components } = (await (await fetch(url)).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, Body> }>>;
      components: object;
    };
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ paths, components }, 'service');
    const part = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');
    for (const { method, path, status, body } of exchanges) {
      const [template] = Object.keys(paths)
        .filter((each) => new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
        // A literal path segment takes precedence over a parameter.
        .toSorted((a, b) => a.split('{').length - b.split('{').length);
      assert.ok(template && paths[template]?.[method.toLowerCase()]?.responses[status], `${method} ${path}`);
      const pointer = `#/paths/${part(template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
      const fits = ajv.validate({ $ref: `service${encodeURI(pointer)}` }, body);
      assert.ok(fits, `${method} ${path}: ${ajv.errorsText()}`);
    }
  });

  it('finds every field of every resource, with its type', () => {
    const [token] = answers('POST', '/auth/realms/main/protocol/openid-connect/token');
    hasFields(token, FIELDS.token, 'token');
    assert.equal(token!['expires_in'], 1800);
    for (const wallet of answers('POST', '/api/wallets')) {
      hasFields(wallet, FIELDS.wallet, 'wallet');
      assert.equal((wallet['createdAt'] as number[]).length, 7);
    }
    for (const wallet of answers('GET', '/api/wallets/*')) {
      hasFields(wallet, FIELDS.wallet, 'wallet');
      hasFields(wallet['balance'], FIELDS.balance, 'wallet.balance');
    }
    for (const list of answers('GET', '/api/wallets'))
      for (const wallet of list as unknown as Body[]) hasFields(wallet, FIELDS.wallet, 'wallet');
    for (const balance of answers('GET', '/api/wallets/*/balance'))
      hasFields(balance, FIELDS.balance, 'balance');
    const lists = answers('GET', '/api/wallets/*/balance/tokens') as unknown as Body[][];
    const tokens = [...lists.flat(), ...answers('GET', '/api/wallets/*/balance/tokens/*')];
    for (const balance of tokens) hasFields(balance, FIELDS.tokenBalance, 'token balance');
    assert.ok(tokens.some(({ balance }) => balance === 1000));
    const owned = (answers('GET', '/api/wallets/*/nonfungibles') as unknown as Body[][]).flat();
    assert.ok(owned.length > 0);
    for (const each of owned) {
      hasFields(each, FIELDS.nonFungible, 'NFT');
      hasFields(each['contract'], FIELDS.contract, 'NFT.contract');
    }
    for (const pair of (answers('GET', '/api/wallets/*/swaps/pairs') as unknown as Body[][]).flat())
      for (const side of ['from', 'to']) hasFields(pair[side], FIELDS.tradingAsset, `pair.${side}`);
    const [rates] = answers('GET', '/api/swaps/rates') as { exchangeRates: Body[]; bestRate: Body }[];
    for (const rate of rates!.exchangeRates) hasFields(rate, FIELDS.rate, 'rate');
    assert.ok(rates!.exchangeRates.some((rate) => JSON.stringify(rate) === JSON.stringify(rates!.bestRate)));
    for (const profile of answers('GET', '/api/profile')) hasFields(profile, FIELDS.profile, 'profile');
  });

  it('builds each type on each chain that has it', () => {
    const built = exchanges.filter(({ path }) => path === '/api/transactions/build');
    const pairs = new Set(built.map(({ sent }) => `${sent['secretType']} ${sent['type']}`));
    const wanted = Object.keys(demo.local).flatMap((chain) =>
      BUILDS[chain as SecretType].map((type) => `${chain} ${type}`),
    );
    assert.deepEqual([...pairs].toSorted(), wanted.toSorted());
  });

  it('pays exactly what was built', () => {
    assert.equal(received, 250_000_000_000_000_000n);
    const [{ transactionHash } = {}] = answers('POST', '/api/transactions/execute');
    const [status] = answers('GET', '/api/transactions/*/status');
    assert.deepEqual(status, { transactionHash, secretType: 'ETHEREUM', status: 'confirmed', mined: null });
  });

  it('swaps for exactly the best rate', () => {
    const [rates] = answers('GET', '/api/swaps/rates') as { bestRate: Body }[];
    const [before, after] = answers('GET', '/api/wallets/*/balance/tokens/*').map(({ rawBalance }) =>
      BigInt(rawBalance as string),
    );
    assert.equal(after! - before!, BigInt(rates!.bestRate['rawOutputAmount'] as string));
  });

  it('shows the answers of the page about swaps as the service gives them', () => {
    const [pairs, rates, requests] = codeIn('swaps.md', '## With the service', 'json').map(
      (code) => JSON.parse(code) as { exchangeRates: Body[] },
    );
    const [rate] = rates!.exchangeRates;
    // The page does not repeat the best one.
    const shown = [pairs, { ...rates, bestRate: rate }, requests];
    const answers = swapping.map(({ body }) => body);
    const { exchangeRates, bestRate } = answers[1] as { exchangeRates: Body[]; bestRate: Body };
    // Absent if the node was slow.
    const whole = (given: Body): Body => ({ networkFee: rate!['networkFee'], ...given });
    answers[1] = { exchangeRates: exchangeRates.map(whole), bestRate: whole(bestRate) };
    assert.deepEqual(answers.map(fieldsOf), shown.map(fieldsOf));
    assert.equal((swapping[2]!.body as Body[])[0]!['value'], '500000000000000000');
  });
});
