/** Validation of receiving wallets and payments by wallet, field by field, and when they are not offered. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Problem } from '../../src/api/problem.ts';
import type { Network } from '../../src/chains/network.ts';
import { readConfig } from '../../service/config.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { openShop, order, pagePath } from './checkout-setup.ts';
import { AE_RECEIVER, TRON_RECEIVER } from './wallet-payments-rails.ts';
import { openTill, RECEIVER, type Till } from './wallet-payments-setup.ts';

const DOLLAR = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const CENT = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const FEE_ON_TRANSFER = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';

function token(address: string, symbol: string, more: object = {}) {
  return { address, symbol, name: symbol, decimals: 6, logo: '', ...more };
}

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const AE_ORACLE = {
  source: 'oracle',
  rates: {
    'AE/USD': Array.from({ length: 3 }, (_, i) => ({ shape: 'plain', url: `http://127.0.0.1:9/${i}` })),
  },
};

/** No node is reachable: nothing here gets that far. */
const BASE: Network = {
  id: 'test',
  secretType: 'ETHEREUM',
  name: 'Test',
  kind: 'testnet',
  chainId: 5,
  nodes: ['http://127.0.0.1:9'],
  tokens: [token(DOLLAR, 'USDX'), token(CENT, 'CENT'), token(FEE_ON_TRANSFER, 'TAX', { transferFee: 1 })],
  prices: { USD: DOLLAR },
};

const TRON: Network = {
  ...BASE,
  id: 'tron',
  secretType: 'TRON',
  tokens: [token(USDT, 'USDT'), token('1000001', 'TEN')],
  prices: { USD: USDT },
};
const AETERNITY: Network = {
  ...BASE,
  id: 'ae',
  secretType: 'AETERNITY',
  tokens: [],
  prices: { '*': AE_ORACLE },
};

const NETWORKS: Network[] = [
  BASE,
  { ...BASE, id: 'live', kind: 'mainnet', chainId: 6 },
  { ...BASE, id: 'unpriced', chainId: 7, prices: undefined },
  { ...BASE, id: 'nodeless', chainId: 8, nodes: [] },
  { ...BASE, id: 'go', secretType: 'GOCHAIN', chainId: 9, kind: 'mainnet' },
  TRON,
  AETERNITY,
  { ...TRON, id: 'tron-live', kind: 'mainnet' },
  { ...AETERNITY, id: 'ae-live', kind: 'mainnet' },
];

let till: Till;

before(async () => {
  till = await openTill(NETWORKS);
});
after(() => till?.close());

const GOOD = { secretType: 'ETHEREUM', tokenAddress: DOLLAR, address: RECEIVER };
const WRONG_SUM = RECEIVER.replace('C0FFEE', 'C0FFeE');

const BAD: [path: string, name: string, changes: Record<string, unknown>][] = [
  ['secretType', 'absent', { secretType: undefined }],
  ['secretType', 'not followed', { secretType: 'BITCOIN' }],
  ['secretType', 'a number', { secretType: 1 }],
  ['secretType', 'without a network for test payments', { secretType: 'GOCHAIN' }],
  ['network', 'unknown', { network: 'nowhere' }],
  ['network', 'without nodes', { network: 'nodeless' }],
  ['network', 'live', { network: 'live' }],
  ['network', 'without prices', { network: 'unpriced' }],
  ['network', 'empty', { network: '' }],
  ['network', 'with a coin without a price', { tokenAddress: undefined }],
  ['tokenAddress', 'not listed', { tokenAddress: RECEIVER }],
  ['tokenAddress', 'with a wrong checksum', { tokenAddress: DOLLAR.replace('FbDB', 'FbDb') }],
  ['tokenAddress', 'too long', { tokenAddress: `0x${'1'.repeat(200)}` }],
  ['tokenAddress', 'a number', { tokenAddress: 5 }],
  ['tokenAddress', 'with a fee on transfer', { tokenAddress: FEE_ON_TRANSFER }],
  ['tokenAddress', 'without a price', { tokenAddress: CENT }],
  ['address', 'absent', { address: undefined }],
  ['address', 'empty', { address: '' }],
  ['address', 'with a wrong checksum', { address: WRONG_SUM }],
  ['address', 'too short', { address: RECEIVER.slice(0, -1) }],
  ['address', 'of another chain', { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }],
  ['address', 'nobody’s', { address: `0x${'0'.repeat(40)}` }],
  ['address', 'of a token', { address: CENT }],
  ['confirmations', 'none', { confirmations: 0 }],
  ['confirmations', 'too many', { confirmations: 1001 }],
  ['confirmations', 'with a fraction', { confirmations: 1.5 }],
  ['confirmations', 'text', { confirmations: '3' }],
  ['alias', 'another field', { alias: 'x' }],
];

const GOOD_TRON = { secretType: 'TRON', tokenAddress: USDT, address: TRON_RECEIVER };
const GOOD_AE = { secretType: 'AETERNITY', tokenAddress: undefined, address: AE_RECEIVER };

const BAD_ELSEWHERE: typeof BAD = [
  ['address', 'of Ethereum, on Tron', { ...GOOD_TRON, address: RECEIVER }],
  ['address', 'mistyped, on Tron', { ...GOOD_TRON, address: TRON_RECEIVER.replace(/.$/, 'z') }],
  ['address', 'nobody’s, on Tron', { ...GOOD_TRON, address: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' }],
  ['address', 'of a token, on Tron', { ...GOOD_TRON, address: USDT }],
  ['tokenAddress', 'of a TRC-10 token', { ...GOOD_TRON, tokenAddress: '1000001' }],
  ['tokenAddress', 'not listed, on Tron', { ...GOOD_TRON, tokenAddress: TRON_RECEIVER }],
  ['network', 'with a coin without a price, on Tron', { ...GOOD_TRON, tokenAddress: undefined }],
  ['address', 'a contract, on Aeternity', { ...GOOD_AE, address: AE_RECEIVER.replace('ak_', 'ct_') }],
  ['address', 'a name, on Aeternity', { ...GOOD_AE, address: 'shop.chain' }],
  ['address', 'nobody’s, on Aeternity', { ...GOOD_AE, address: 'ak_11111111111111111111111111111111273Yts' }],
  ['tokenAddress', 'on Aeternity', { ...GOOD_AE, tokenAddress: AE_RECEIVER }],
];

test('a receiving wallet is refused at each invalid field, and nothing is stored', async () => {
  for (const [path, name, changes] of [...BAD, ...BAD_ELSEWHERE]) {
    const response = await till.put({ ...GOOD, ...changes });
    const { code, issues } = (await response.json()) as Problem;
    assert.equal(`${response.status} ${code}`, '400 request.invalid', name);
    assert.deepEqual(
      issues!.map((issue) => issue.path),
      [path],
      `${name}: ${JSON.stringify(issues)}`,
    );
  }
  const read = await till.tested.get('/account/settings/receiving-wallet', till.shop.headers);
  assert.equal(read.status, 404);
  assert.equal(((await read.json()) as Problem).code, 'request.not-found');
});

test('addresses of Tron are stored in one form, those of Aeternity as they are', async () => {
  const hex = '4100000000000000000000000000000000c0ffee01';
  assert.equal((await till.receive({ ...GOOD_TRON, address: hex })).address, TRON_RECEIVER);
  assert.equal((await till.receive(GOOD_AE)).address, AE_RECEIVER);
  const path = '/account/settings/receiving-wallet';
  await fetch(till.tested.url + path, { method: 'DELETE', headers: till.shop.headers });
});

test('on live networks a payment needs as many confirmations as its chain asks for, unless the shop says otherwise', async () => {
  const payments = till.tested.service.payments as { livemode: boolean };
  payments.livemode = true;
  try {
    for (const [wallet, network, confirmations] of [
      [GOOD, 'live', 12],
      [GOOD_TRON, 'tron-live', 20],
      [GOOD_AE, 'ae-live', 3],
    ] as const) {
      const stored = await till.receive(wallet);
      assert.deepEqual([stored.network, stored.confirmations], [network, confirmations]);
      assert.equal((await till.receive({ ...wallet, confirmations: 2 })).confirmations, 2);
    }
  } finally {
    payments.livemode = false;
  }
  const path = '/account/settings/receiving-wallet';
  await fetch(till.tested.url + path, { method: 'DELETE', headers: till.shop.headers });
});

test('all invalid fields are named at once', async () => {
  const response = await till.put({ ...GOOD, network: 'nowhere', address: '0x1', tokenAddress: 'x' });
  const { issues } = (await response.json()) as Problem;
  assert.deepEqual(issues!.map(({ path }) => path).sort(), ['address', 'network', 'tokenAddress']);
});

test('a receiving wallet is set, read, replaced and deleted only by its own application', async () => {
  const stored = await till.receive({
    ...GOOD,
    address: RECEIVER.toLowerCase(),
    tokenAddress: DOLLAR.toLowerCase(),
  });
  assert.deepEqual(
    { ...stored, createdAt: '' },
    {
      secretType: 'ETHEREUM',
      network: 'test',
      tokenAddress: DOLLAR,
      address: RECEIVER,
      confirmations: 1,
      confirmationsAbove: [],
      tolerance: 0,
      createdAt: '',
    },
  );
  // Setting the same again changes nothing.
  assert.deepEqual(await till.receive(GOOD), stored);
  const path = '/account/settings/receiving-wallet';
  const other = await openShop(till.tested);
  assert.equal((await till.tested.get(path, other.headers)).status, 404);
  assert.equal((await till.tested.get(path)).status, 401);
  assert.deepEqual(await (await till.tested.get(path, till.shop.headers)).json(), stored);
  const deleted = await fetch(till.tested.url + path, { method: 'DELETE', headers: till.shop.headers });
  assert.deepEqual([deleted.status, await deleted.json()], [200, {}]);
  assert.equal((await till.tested.get(path, till.shop.headers)).status, 404);
});

test('payment by wallet is offered only where it is possible', async () => {
  const offered = async (total?: number, currency?: string): Promise<boolean> => {
    const session = await till.session(total, currency);
    const { wallet } = await till.page(session);
    if (!wallet) assert.equal(await till.refused(session, 'quote'), '404 checkout.wallet.unavailable');
    return wallet !== null;
  };
  assert.equal(await offered(100, 'USD'), false, 'no receiving wallet');
  await till.receive(GOOD);
  assert.equal(await offered(100, 'USD'), true);
  assert.equal(await offered(100, 'EUR'), false, 'no price');
  assert.equal(await offered(0, 'USD'), false, 'nothing to pay');
  const { db } = till.tested.service;
  for (const [network, why] of [
    ['live', 'real money'],
    ['gone', 'no such network'],
  ]) {
    await db.updateTable('receiving_wallets').set({ network: network! }).execute();
    assert.equal(await offered(100, 'USD'), false, why);
  }
  const session = await till.session(100, 'USD');
  await db.deleteFrom('receiving_wallets').execute();
  await till.receive(GOOD);
  const config = till.tested.service.config as { frameUrl: string | undefined };
  const { frameUrl } = config;
  config.frameUrl = undefined;
  try {
    assert.equal((await till.page(session)).wallet, null);
    assert.equal(await till.refused(session, 'quote'), '404 checkout.wallet.unavailable');
  } finally {
    config.frameUrl = frameUrl;
  }
});

test('requests of the page are validated', async () => {
  await till.receive(GOOD);
  const session = await till.session(100, 'USD');
  for (const transactionHash of [
    '',
    '0x12',
    'ab'.repeat(31),
    'th_0',
    `0x${'zz'.repeat(32)}`,
    5,
    null,
    undefined,
  ])
    assert.equal(await till.refused(session, 'payments', { transactionHash }), '400 request.invalid');
  const hash = `0x${'ab'.repeat(32)}`;
  assert.equal(
    await till.refused(session, 'payments', { transactionHash: hash }),
    '404 checkout.wallet.unavailable',
  );
  // No node is reachable.
  assert.equal(await till.refused(session, 'quote'), '422 checkout.wallet.no-price');
  for (const [method, path] of [
    ['quote', '/pay/nothing/wallet/quote'],
    ['payments', '/pay/nothing/wallet/payments'],
  ]) {
    const response = await till.tested.post(path!, { transactionHash: hash });
    assert.equal(response.status, 404, method);
  }
  const gone = await till.shop.create(order());
  assert.match(await till.refused(gone, 'cancel'), /^200/);
  assert.equal(await till.refused(gone, 'quote'), '409 checkout.session.expired');
  assert.equal(
    await till.refused(gone, 'payments', { transactionHash: hash }),
    '409 checkout.session.expired',
  );
  assert.ok(pagePath(session));
});

test('the list of received payments validates its query', async () => {
  for (const query of [
    '?state=gone',
    '?limit=0',
    '?limit=1001',
    '?limit=x',
    '?other=1',
    `?session=${'x'.repeat(200)}`,
  ]) {
    const response = await till.tested.get(`/checkout/wallet-payments${query}`, till.shop.headers);
    assert.equal(response.status, 400, query);
  }
  assert.deepEqual(await till.received('?state=unassigned&limit=5'), []);
});

test('invalid prices in networks.json prevent the start and are named by field', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-prices-'));
  const path = join(folder, 'networks.json');
  const read = (prices: unknown): string => {
    writeFileSync(path, JSON.stringify({ networks: [{ ...BASE, prices }] }));
    try {
      readNetworks(path);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  try {
    assert.equal(read({ USD: DOLLAR, EUR: CENT.toLowerCase() }), '');
    assert.equal(read(undefined), '');
    assert.match(read({ usd: DOLLAR }), /test:\n✖ prices\.usd must be an ISO 4217/);
    assert.match(read({ USD: '0x1' }), /✖ prices\.USD must be the address of a token/);
    assert.match(read({ USD: RECEIVER }), /✖ prices\.USD must be a token that the network lists/);
    assert.match(read([DOLLAR]), /✖ prices /);
    assert.match(read({ USD: 5 }), /✖ prices\.USD /);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('FRAME_URL must have another origin than the service', () => {
  const read = (env: Record<string, string>) => readConfig({ DATA_DIR: '/nowhere', ...env }).frameUrl;
  assert.equal(read({ FRAME_URL: 'https://connect.example/wallet/' }), 'https://connect.example/wallet');
  assert.equal(read({}), undefined);
  assert.throws(() => read({ FRAME_URL: 'http://connect.example' }), /FRAME_URL must be an https URL/);
  assert.throws(
    () => read({ FRAME_URL: 'https://a.example/frame', SERVICE_URL: 'https://a.example' }),
    /FRAME_URL must be of another origin/,
  );
});
