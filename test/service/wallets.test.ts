/** Wallets, their balances and built requests, against a local Ethereum. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Wallet as WalletSchema } from '../../src/api/wallet.ts';
import type { CreatedWallet, NativeBalance, TokenBalance, Wallet } from '../../src/api/wallet.ts';
import type { Problem } from '../../src/api/problem.ts';
import type { Scope } from '../../src/api/scopes.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { editWallet } from '../../service/users/edit-wallet.ts';
import { Semaphore } from '../../service/concurrency/semaphore.ts';
import { bearer, startTested, type Tested } from './harness.ts';
import { OTHER_PIN, PIN, QUICK } from './custody-setup.ts';

/** Counts the PINs that are hashed. */
class Hashes extends Semaphore {
  count = 0;
  override run<T>(work: () => Promise<T>): Promise<T> {
    this.count++;
    return super.run(work);
  }
}

const hashes = new Hashes(2);
let ethereum: LocalEthereum;
let service: Tested;
let shop: Record<string, string>;
let other: Record<string, string>;

const SCOPES: Scope[] = ['whitelabel', 'view:wallets', 'save:transaction'];

async function tokenOf(...scopes: Scope[]): Promise<Record<string, string>> {
  return bearer((await service.tokens(scopes)).access_token);
}

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  const networks = {
    customNodes: true,
    reported: [],
    networks: [
      ethereum.network,
      ...(['VECHAIN', 'BITCOIN', 'LITECOIN', 'TRON', 'AETERNITY'] as const).map((secretType) => ({
        id: secretType.toLowerCase(),
        secretType,
        name: secretType,
        kind: 'testnet' as const,
        genesis: '0x00',
        // Nothing listens there.
        nodes: ['http://127.0.0.1:9'],
        tokens: [],
      })),
    ],
  };
  service = await startTested(
    { networks, outboundRanges: [readRange('127.0.0.0/8'), readRange('::1')] },
    { pins: { cost: QUICK, semaphore: hashes } },
  );
  shop = await tokenOf(...SCOPES);
  other = await tokenOf(...SCOPES);
});
after(async () => {
  await service?.close();
  await ethereum?.close();
});

function order(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL', ...more };
}

async function create(more: Record<string, unknown> = {}, as = shop): Promise<Wallet> {
  const response = await service.post('/api/wallets', order(more), as);
  const { recoveryCode: _once, ...wallet } = (await response.json()) as CreatedWallet;
  assert.equal(response.status, 201, JSON.stringify(wallet));
  return wallet;
}

async function answer<T>(path: string, as = shop): Promise<T> {
  const response = await service.get(path, as);
  const body = (await response.json()) as T;
  assert.equal(response.status, 200, JSON.stringify(body));
  return body;
}

/** Status and code with the paths of issues: `403 wallet.forbidden`. */
async function refusal(response: Response): Promise<string> {
  const { code, issues = [] } = (await response.json()) as { code: string; issues?: { path: string }[] };
  return [response.status, code, ...issues.map(({ path }) => path)].join(' ');
}

test('a white-label wallet has every field', async () => {
  const from = Date.now() - 1000;
  const wallet = await create({ alias: 'Till', description: 'The one at the door' });
  assert.deepEqual(Object.keys(wallet).sort(), [
    'address',
    'alias',
    'archived',
    'createdAt',
    'description',
    'hasCustomPin',
    'id',
    'primary',
    'secretType',
    'status',
    'walletType',
  ]);
  assert.match(wallet.address, /^0x[0-9a-fA-F]{40}$/);
  const [year, month, day, hour, minute, second, nano] = wallet.createdAt as [number, number, ...number[]];
  const made = Date.UTC(year, month - 1, day, hour, minute, second) + nano! / 1e6;
  assert.ok(made >= from && made <= Date.now(), String(wallet.createdAt));
  assert.deepEqual(wallet, {
    id: wallet.id,
    address: wallet.address,
    createdAt: wallet.createdAt,
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    archived: false,
    alias: 'Till',
    description: 'The one at the door',
    primary: true,
    hasCustomPin: true,
    status: 'ACTIVE',
  });
  assert.equal((await create()).primary, false);
  const bare = await create({ alias: null, description: null, identifier: null, network: null });
  assert.deepEqual([bare.alias, bare.description, bare.identifier], ['', '', undefined]);
});

function named(wallets: unknown): Wallet | undefined {
  return (wallets as Wallet[]).find(({ identifier }) => identifier === 'user-7');
}

test('an identifier is one wallet per client, even concurrently', async () => {
  const several = await Promise.all(Array.from({ length: 6 }, () => create({ identifier: 'user-7' })));
  assert.equal(new Set(several.map(({ id }) => id)).size, 1);
  const first = several[0]!;
  assert.equal(first.identifier, 'user-7');
  assert.deepEqual(named(await answer('/api/wallets')), first);
  // The PIN is not compared.
  assert.deepEqual(await create({ identifier: 'user-7', pincode: OTHER_PIN }), first);
  assert.notEqual((await create({ identifier: 'user-8' })).id, first.id);
  assert.notEqual((await create({ identifier: 'user-7' }, other)).id, first.id);
});

test('a repeated identifier with another alias or description is a conflict', async () => {
  const texts = { identifier: 'user-9', alias: 'Till', description: 'At the door' };
  const first = await create(texts);
  assert.deepEqual(await create(texts), first);
  assert.deepEqual(await create({ identifier: 'user-9' }), first, 'absent fields are not compared');
  for (const field of ['alias', 'description']) {
    const again = await service.post('/api/wallets', order({ ...texts, [field]: 'Another' }), shop);
    const { code, details, detail } = (await again.json()) as Problem;
    assert.deepEqual([again.status, code, details], [409, 'request.conflict', { field }]);
    assert.match(detail, new RegExp(`${field} is “${first[field as 'alias']}”`));
  }
});

test('a repeated Idempotency-Key creates nothing more', async () => {
  const keyed = { ...shop, 'Idempotency-Key': 'order-1' };
  const [one, two] = await Promise.all([create({ alias: 'a' }, keyed), create({ alias: 'a' }, keyed)]);
  assert.equal(one.id, two.id);
  const again = await service.post('/api/wallets', order({ alias: 'b' }), keyed);
  assert.equal(await refusal(again), '409 request.conflict');
  assert.equal(one.identifier, undefined);
  assert.notEqual((await create({ alias: 'a', identifier: 'order-1' })).id, one.id);
});

test('creating without the scope, or an unsupported wallet, is refused', async () => {
  const refused = async (body: Record<string, unknown>, as = shop): Promise<string> =>
    refusal(await service.post('/api/wallets', body, as));
  assert.equal(await refused(order(), await tokenOf('view:wallets')), '403 token.scope');
  assert.equal(await refused(order(), await tokenOf('sign:wallets')), '403 token.scope');
  assert.equal(await refused(order(), {}), '401 token.missing');
  assert.equal(await refused(order({ secretType: 'NEO' })), '400 request.invalid secretType');
  assert.equal(await refused(order({ walletType: 'BROWSER' })), '400 request.invalid walletType');
  assert.equal(await refused(order({ walletType: 'THREEWAY_SHARED' })), '400 request.invalid walletType');
  assert.equal(await refused(order({ pincode: '12' })), '400 request.invalid pincode');
  assert.equal(await refused(order({ colour: 'red' })), '400 request.invalid colour');
  assert.equal(await refused(order({ identifier: '\u0001order-1' })), '400 request.invalid identifier');
});

test('a hundred concurrent retries under one Idempotency-Key cost one PIN hash and get one answer', async () => {
  const before = hashes.count;
  const keyed = { ...shop, 'Idempotency-Key': 'impatient' };
  const again = (pincode = PIN): Promise<CreatedWallet> =>
    service.post('/api/wallets', order({ pincode }), keyed).then((response) => response.json() as never);
  const answers = await Promise.all(Array.from({ length: 100 }, () => again()));
  assert.equal(hashes.count - before, 1);
  assert.equal(new Set(answers.map(({ id }) => id)).size, 1);
  // A later retry gets the wallet without the recovery code.
  assert.equal(new Set(answers.flatMap((one) => one.recoveryCode ?? [])).size, 1);
  // Its recovery code is shown once.
  const { recoveryCode, id } = await again();
  assert.deepEqual([recoveryCode, id], [undefined, answers[0]!.id]);
});

test('each of the seven chains has wallets, and the list can be filtered by chain', async () => {
  const owner = await tokenOf(...SCOPES);
  const chains = ['ETHEREUM', 'GOCHAIN', 'VECHAIN', 'BITCOIN', 'LITECOIN', 'TRON', 'AETERNITY'];
  const made: Wallet[] = [];
  for (const secretType of chains) made.push(await create({ secretType }, owner));
  const all = await answer<Wallet[]>('/api/wallets', owner);
  // There is no node for GoChain here.
  const status = ({ secretType }: Wallet) => (secretType === 'GOCHAIN' ? 'UNAVAILABLE' : 'ACTIVE');
  assert.deepEqual(
    all,
    made.map((wallet) => ({ ...wallet, status: status(wallet) })),
  );
  assert.ok(all.every(({ primary }) => primary));
  for (const secretType of chains)
    assert.deepEqual(
      (await answer<Wallet[]>(`/api/wallets?secretType=${secretType}`, owner)).map((one) => one.secretType),
      [secretType],
    );
  assert.equal(
    await refusal(await service.get('/api/wallets?secretType=NEO', owner)),
    '400 request.invalid secretType',
  );
  // An empty filter is an error, not a list of everything.
  const empty = await service.get('/api/wallets?secretType=', owner);
  assert.match(((await empty.clone().json()) as Problem).detail, /^secretType: must be one of AETERNITY, /);
  assert.equal(await refusal(empty), '400 request.invalid secretType');
  assert.match(made[3]!.address, /^tb1/);
});

test('only its owner sees a wallet; an application needs its own token', async () => {
  const { id } = await create();
  for (const path of ['', '/balance', '/balance/tokens', `/balance/tokens/${ethereum.contracts.DUSD}`]) {
    const reach = `/api/wallets/${id}${path}`;
    assert.equal(await refusal(await service.get(reach, other)), '403 wallet.forbidden');
    const unknown = await service.get(`/api/wallets/00000000-0000-4000-8000-000000000000${path}`, shop);
    assert.equal(await refusal(unknown), '403 wallet.forbidden');
    assert.equal(await refusal(await service.get(reach, await tokenOf('view:profile'))), '403 token.scope');
  }
  const everywhere = await tokenOf('use:all-wallets');
  assert.deepEqual(await answer('/api/wallets', everywhere), []);
  assert.equal(await refusal(await service.get(`/api/wallets/${id}`, everywhere)), '403 wallet.forbidden');
});

test('an application with use:all-wallets sees its users’ wallets', async () => {
  const { db, custody, tokens } = service.service;
  const client = await service.client(['view:wallets', 'use:all-wallets']);
  const application = client.id;
  const person = `person-${application}`;
  await db
    .insertInto('accounts')
    .values({ id: person, issuer: 'test', subject: person, application: false })
    .execute();
  const { wallet } = await custody.createWallet({
    ownerId: person,
    applicationId: application,
    walletType: 'THREEWAY_SHARED',
    secretType: 'ETHEREUM',
    kind: 'local',
    pin: OTHER_PIN,
    pinOf: 'account',
  });
  const as = async (accountId: string, scopes: Scope[]): Promise<Record<string, string>> =>
    bearer((await tokens.issue({ accountId, clientId: application, scopes })).access_token);
  const [seen] = await answer<Wallet[]>('/api/wallets', await as(person, ['view:wallets']));
  assert.equal(seen!.id, wallet.id);
  assert.equal(seen!.hasCustomPin, false);
  assert.deepEqual(await answer('/api/wallets', await as(application, ['view:wallets'])), []);
  const all = await as(application, ['use:all-wallets']);
  assert.deepEqual(await answer('/api/wallets', all), [seen]);
  assert.equal((await answer<Wallet>(`/api/wallets/${wallet.id}`, all)).id, wallet.id);
});

test('a balance is exact text beside numbers, and unavailable while the node is down', async () => {
  const { id, address } = await create();
  await ethereum.fund(address, 1_000_000_000_000_000_001n);
  const balance = await answer<NativeBalance>(`/api/wallets/${id}/balance`);
  assert.deepEqual(balance, {
    available: true,
    secretType: 'ETHEREUM',
    balance: 1,
    gasBalance: 1,
    symbol: 'ETH',
    gasSymbol: 'ETH',
    rawBalance: '1000000000000000001',
    rawGasBalance: '1000000000000000001',
    decimals: 18,
  });
  const whole = await answer<Wallet>(`/api/wallets/${id}`);
  assert.deepEqual(WalletSchema.parse(whole).balance, balance);
  assert.equal(whole.status, 'ACTIVE');
  ethereum.down = true;
  try {
    const gone = {
      ...balance,
      available: false,
      balance: 0,
      gasBalance: 0,
      rawBalance: '0',
      rawGasBalance: '0',
    };
    assert.deepEqual(await answer(`/api/wallets/${id}/balance`), gone);
    const lost = await answer<Wallet>(`/api/wallets/${id}`);
    assert.deepEqual([lost.status, lost.balance], ['UNAVAILABLE', gone]);
    const tokens = await service.get(`/api/wallets/${id}/balance/tokens`, shop);
    assert.equal(await refusal(tokens), '502 node.unreachable');
  } finally {
    ethereum.down = false;
  }
  await editWallet(service.service.db, id, { archived: true });
  const archived = await answer<Wallet>(`/api/wallets/${id}`);
  assert.deepEqual(
    [archived.status, archived.archived, archived.balance!.available],
    ['ARCHIVED', true, true],
  );
});

test('without a node for its chain a wallet can be read, but not its balance', async () => {
  const { id } = await create({ secretType: 'GOCHAIN' });
  const wallet = await answer<Wallet>(`/api/wallets/${id}`);
  assert.deepEqual([wallet.status, wallet.balance!.available], ['UNAVAILABLE', false]);
  for (const path of [
    'balance',
    'balance/tokens',
    'balance/tokens/0x0000000000000000000000000000000000000001',
  ])
    assert.equal(
      await refusal(await service.get(`/api/wallets/${id}/${path}`, shop)),
      '400 wallet.balance.not.supported.yet',
    );
});

test('any number of listed tokens takes one request; any other token is read by its address', async () => {
  const { id, address } = await create();
  await ethereum.give('DUSD', address);
  await ethereum.give('ITEM', address);
  await answer(`/api/wallets/${id}/balance`);
  const requests = ethereum.node.requests.length;
  const tokens = await answer<TokenBalance[]>(`/api/wallets/${id}/balance/tokens`);
  assert.equal(ethereum.node.requests.length - requests, 1);
  const { DUSD, DCENT } = ethereum.contracts;
  assert.deepEqual(tokens, [
    {
      tokenAddress: DUSD,
      rawBalance: '1000000000000000000000',
      balance: 1000,
      decimals: 18,
      symbol: 'DUSD',
      logo: '',
      type: 'ERC20',
      transferable: true,
    },
    {
      tokenAddress: DCENT,
      rawBalance: '0',
      balance: 0,
      decimals: 6,
      symbol: 'DCENT',
      logo: '',
      type: 'ERC20',
      transferable: true,
    },
  ]);
  assert.deepEqual(await answer(`/api/wallets/${id}/balance/tokens/${DUSD.toLowerCase()}`), tokens[0]);
  const read = (token: string): Promise<Response> =>
    service.get(`/api/wallets/${id}/balance/tokens/${token}`, shop);
  for (const token of [
    'dusd',
    '12',
    '0x12',
    `${DUSD}00`,
    address,
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ])
    assert.equal(await refusal(await read(token)), '400 request.invalid token', token);
});

test('the number of node requests does not grow with the list', async () => {
  const { id } = await create();
  const { tokens } = service.config.networks.networks[0]!;
  const original = [...tokens];
  const counts: number[] = [];
  try {
    for (const many of [1, 10, 100]) {
      const listed = Array.from({ length: many }, () => original[0]!);
      tokens.splice(0, tokens.length, ...listed);
      const requests = ethereum.node.requests.length;
      assert.equal((await answer<TokenBalance[]>(`/api/wallets/${id}/balance/tokens`)).length, many);
      counts.push(ethereum.node.requests.length - requests);
    }
  } finally {
    tokens.splice(0, tokens.length, ...original);
  }
  assert.deepEqual(counts, [1, 1, 1]);
});

test('an unlisted token is described by its contract', async () => {
  const { id } = await create();
  const { tokens } = service.config.networks.networks[0]!;
  const [listed] = tokens.splice(1, 1);
  try {
    const balance = await answer<TokenBalance>(`/api/wallets/${id}/balance/tokens/${listed!.address}`);
    assert.deepEqual([balance.symbol, balance.decimals, balance.rawBalance], ['DCENT', 6, '0']);
  } finally {
    tokens.push(listed!);
  }
});
