/** Executing on Ethereum: what is sent, what is refused and why, and recovery from failing nodes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Interface, JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { sql } from 'kysely';
import { startAnvil } from '../../demo/networks/anvil.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { type Call, type NodeProxy, type Reply, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import type { HistoryEntry } from '../../src/api/history.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { PIN } from './custody-setup.ts';
import { mined, type Shop, startShop } from './execute-setup.ts';
import { nextPage } from './harness.ts';

const ERC20 = new Interface(['function transfer(address to, uint256 amount)']);

let ethereum: LocalEthereum;
let provider: JsonRpcProvider;
let front: NodeProxy;
let shop: Shop;
let till: CreatedWallet;

/** How the proxy in front of the node changes calls. */
const node: {
  refuse: ((call: Call) => Reply['error']) | undefined;
  alter: ((call: Call, reply: Reply) => Reply) | undefined;
  before: ((calls: Call[]) => void) | undefined;
} = { refuse: undefined, alter: undefined, before: undefined };

function stranger(): string {
  return Key.createRandom().address;
}

function pay(to: string, value: string | number | bigint = 1, more: object = {}) {
  return { type: 'ETH_TRANSACTION', walletId: till.id, to, value: String(value), ...more };
}

async function nonce(): Promise<number> {
  await mined(provider);
  return provider.getTransactionCount(till.address);
}

async function balance(of: string): Promise<bigint> {
  await mined(provider);
  return provider.getBalance(of);
}

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  front = await startNodeProxy({
    target: ethereum.url,
    port: 0,
    refuse: (call) => node.refuse?.(call),
    alter: (call, reply) => node.alter?.(call, reply) ?? reply,
    before: (calls) => node.before?.(calls),
  });
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  shop = await startShop([{ ...ethereum.network, nodes: [front.url] }]);
  till = await shop.wallet();
  await ethereum.fund(till.address, parseEther('10'));
  await ethereum.give('DUSD', till.address);
});

after(async () => {
  provider.destroy();
  await shop.close();
  await front.close();
  await ethereum.close();
});

test('an application spends from its wallet, and reads the status', async () => {
  const to = stranger();
  const { outcome, body } = await shop.execute(pay(to, parseEther('0.5')));
  assert.equal(outcome, '200');
  assert.deepEqual(Object.keys(body), ['transactionHash']);
  assert.equal(await balance(to), parseEther('0.5'));
  assert.equal(await shop.status(body.transactionHash), 'confirmed');
  assert.equal(await shop.status(body.transactionHash.toUpperCase().replace('0X', '0x')), 'confirmed');
  assert.equal(await shop.status(`0x${'12'.repeat(32)}`), 'unknown');
  assert.equal(await shop.status('../../etc'), '404 request.not-found');
  assert.equal(await shop.status('th_abc'), '400 request.invalid hash');
});

test('a token is sent, and a contract called', async () => {
  const to = stranger();
  const token = ethereum.contracts.DUSD;
  const sent = await shop.execute({
    type: 'ETHEREUM_ERC20_TRANSACTION',
    walletId: till.id,
    to,
    tokenAddress: token,
    value: '5',
  });
  assert.equal(sent.outcome, '200', JSON.stringify(sent.body));
  const data = ERC20.encodeFunctionData('transfer', [to, 7]);
  assert.equal((await shop.execute(pay(token, 0, { data }))).outcome, '200');
  await mined(provider);
  const balance = await provider.call({
    to: token,
    data: new Interface(['function balanceOf(address) view returns (uint256)']).encodeFunctionData(
      'balanceOf',
      [to],
    ),
  });
  assert.equal(BigInt(balance), 12n);
});

test('an invalid request is refused with its own code, and nothing is signed', async () => {
  const start = await nonce();
  const to = stranger();
  const outcomes: Record<string, object> = {
    '400 request.invalid type': { type: 'TRX_TRANSACTION', walletId: till.id, to, value: 1 },
    '400 request.invalid value to': { type: 'ETH_TRANSACTION', walletId: till.id, to: 'x', value: -1 },
    '400 request.invalid pincode': pay(to, 1, { pincode: '1' }),
    '403 pincode.wrong': pay(to, 1, { pincode: '112233' }),
    '403 wallet.forbidden': pay(to, 1, { walletId: 'nobody' }),
    '422 transaction.insufficient-funds': pay(to, parseEther('11')),
    '400 request.invalid nonce': pay(to, 1, { nonce: 0 }),
    '422 transaction.refused': pay(ethereum.contracts.DUSD, 0, { data: '0x12345678' }),
  };
  for (const [expected, body] of Object.entries(outcomes))
    assert.equal((await shop.execute(body)).outcome, expected);
  // Above the network's ceiling of 0.05.
  const overpriced = await shop.execute(pay(to, 1, { gasPrice: String(parseEther('0.00001')) }));
  assert.match(`${overpriced.outcome} ${overpriced.body.detail}`, /^422 transaction.refused .*ceiling/);
  // An explicit gas limit is taken as intended.
  const failing = await shop.execute(pay(ethereum.contracts.DUSD, 0, { data: '0x12345678', gas: 100_000 }));
  assert.equal(failing.outcome, '200');
  assert.equal(await nonce(), start + 1);
  assert.equal(await shop.status(failing.body.transactionHash), 'failed');
});

test('an application cannot spend from wallets of others, of its users, or archived ones', async () => {
  const other = await shop.service.tokens(['whitelabel', 'sign:wallets']);
  const body = { pincode: PIN, ...pay(stranger()) };
  const path = '/api/transactions/execute';
  assert.equal((await shop.call(other.access_token, 'POST', path, body)).outcome, '403 wallet.forbidden');
  const reader = await shop.service.tokens(['view:wallets']);
  assert.equal((await shop.call(reader.access_token, 'POST', path, body)).outcome, '403 token.scope');
  const user = await shop.user();
  const { id } = await user.wallet();
  // The application can only see its users' wallets.
  assert.equal((await shop.call(shop.shop, 'GET', `/api/wallets/${id}`)).outcome, '200');
  assert.equal((await shop.execute({ ...pay(stranger()), walletId: id })).outcome, '403 wallet.forbidden');
  const away = await shop.wallet();
  await shop.call(shop.shop, 'PATCH', `/api/wallets/${away.id}`, { archived: true });
  assert.equal(
    (await shop.execute({ ...pay(stranger()), walletId: away.id })).outcome,
    '409 wallet.archived',
  );
});

test('a user spends with a proof by an enrolled device, not with the token alone', async () => {
  const user = await shop.user();
  const wallet = await user.wallet();
  await ethereum.fund(wallet.address, parseEther('1'));
  const body = { pincode: PIN, ...pay(stranger()), walletId: wallet.id };
  const path = '/api/transactions/execute';
  const outcome = async (as?: Parameters<typeof user.call>[3]) =>
    (await user.call('POST', path, body, as)).outcome;
  assert.equal(await outcome({ device: undefined }), '401 device.proof.invalid');
  assert.equal(await outcome(), '200');
});

test('a repeated request returns the same transaction; another one with the same idempotency key is refused', async () => {
  const start = await nonce();
  const to = stranger();
  const [first, again] = [
    await shop.execute(pay(to, 3), 'order-1'),
    await shop.execute({ value: '3', to, walletId: till.id, type: 'ETH_TRANSACTION' }, 'order-1'),
  ];
  assert.equal(first.outcome, '200');
  assert.equal(again.body.transactionHash, first.body.transactionHash);
  const nulls = await shop.execute(pay(to, 3, { data: null, gasPrice: null }), 'order-1');
  assert.equal(nulls.body.transactionHash, first.body.transactionHash);
  assert.equal((await shop.execute(pay(to, 4), 'order-1')).outcome, '409 request.conflict');
  assert.equal(
    (await shop.sign({ type: 'ETHEREUM_RAW', walletId: till.id, data: '0x00' }, 'order-1')).outcome,
    '409 request.conflict',
  );
  assert.equal(await nonce(), start + 1);
  // Concurrently.
  const both = await Promise.all([0, 1, 2, 3].map(() => shop.execute(pay(to, 5), 'order-2')));
  assert.equal(new Set(both.map(({ body }) => body.transactionHash)).size, 1);
  assert.equal(await nonce(), start + 2);
  // A request that signed nothing does not use up its key.
  assert.equal(
    (await shop.execute(pay(to, 6, { pincode: '112233' }), 'order-3')).outcome,
    '403 pincode.wrong',
  );
  assert.equal((await shop.execute(pay(to, 6), 'order-3')).outcome, '200');
  // Idempotency keys are separate for each account.
  const user = await shop.user();
  const wallet = await user.wallet();
  await ethereum.fund(wallet.address, parseEther('1'));
  const own = await user.call(
    'POST',
    '/api/transactions/execute',
    { pincode: PIN, ...pay(to, 3), walletId: wallet.id },
    { headers: { 'Idempotency-Key': 'order-1' } },
  );
  assert.equal(own.outcome, '200');
});

test('no stored row reveals the PIN', async () => {
  const { db } = shop.service.service;
  const rows = await Promise.all([
    db.selectFrom('transactions').selectAll().execute(),
    db.selectFrom('request_keys').selectAll().execute(),
  ]);
  assert.ok(rows[0].length > 3 && rows[1].length > 2);
  assert.ok(!JSON.stringify(rows).includes(PIN));
  assert.ok(!shop.service.log.join('\n').includes(PIN));
});

test('without a reachable node nothing is signed', async () => {
  const start = await nonce();
  ethereum.down = true;
  const { outcome, body } = await shop.execute(pay(stranger()));
  ethereum.down = false;
  assert.equal(outcome, '502 node.unreachable');
  assert.equal(body.details['transactionHash'], undefined);
  // The node's fault is no error of ours.
  const lines = shop.service.log.filter((line) => line.includes('node.unreachable'));
  assert.match(lines.at(-1)!, /"level":40,/);
  assert.equal((await shop.execute(pay(stranger()))).outcome, '200');
  assert.equal(await nonce(), start + 1);
});

test('a transaction whose broadcast was interrupted is sent on a retry, with the next one, or by the service itself', async () => {
  const start = await nonce();
  const [a, b, c] = [stranger(), stranger(), stranger()];
  const cut = async (to: string, key: string) => {
    node.before = (calls) => {
      if (calls.some(({ method }) => method === 'eth_sendRawTransaction')) throw new Error('cut');
    };
    const { outcome, body } = await shop.execute(pay(to, 7), key);
    node.before = undefined;
    assert.equal(outcome, '502 node.unreachable');
    assert.equal(typeof body.details['transactionHash'], 'string');
    return String(body.details['transactionHash']);
  };
  const first = await cut(a, 'cut-1');
  const again = await shop.execute(pay(a, 7), 'cut-1');
  assert.equal(again.body.transactionHash, first);
  assert.equal(await balance(a), 7n);

  await cut(b, 'cut-2');
  assert.equal((await shop.execute(pay(stranger()))).outcome, '200');
  assert.equal(await balance(b), 7n);

  const third = await cut(c, 'cut-3');
  await poll(async () => (await shop.status(third)) === 'confirmed', 'sending');
  assert.equal(await balance(c), 7n);
  assert.equal(await nonce(), start + 4);
});

test('while the database does not say what became of an earlier transaction, nothing is signed in its place', async () => {
  const { db } = shop.service.service;
  const start = await nonce();
  const isSending = (calls: Call[]) => calls.some(({ method }) => method === 'eth_sendRawTransaction');
  node.before = (calls) => {
    if (isSending(calls)) throw new Error('cut');
  };
  const { body } = await shop.execute(pay(stranger()), 'unknown-1');
  node.before = undefined;
  const { transactionHash } = body.details;
  await sql`create function broken_off() returns trigger language plpgsql as
    $$ begin raise exception 'canceling statement due to user request' using errcode = '57014'; end $$`.execute(
    db,
  );
  await sql`create trigger broken_off before update on transactions for each row
    when (new.hash = ${sql.lit(transactionHash)} and new.state = 'sent') execute function broken_off()`.execute(
    db,
  );
  const signed = async () => (await db.selectFrom('transactions').select('id').execute()).length;
  const before = await signed();
  const refused = await shop.execute(pay(stranger()), 'unknown-2');
  await sql`drop function broken_off cascade`.execute(db);
  assert.equal(refused.outcome, '503 service.unreachable', JSON.stringify(refused.body));
  assert.equal(await signed(), before);
  assert.equal((await shop.execute(pay(stranger()), 'unknown-2')).outcome, '200');
  assert.equal(await nonce(), start + 2);
});

test('a transaction that the node accepted without answering is not paid twice', async () => {
  const to = stranger();
  // The node accepts it, but its answer is lost.
  node.alter = (call, reply) => {
    if (call.method === 'eth_sendRawTransaction') throw new Error('cut');
    return reply;
  };
  const lost = await shop.execute(pay(to, 9), 'lost-1');
  node.alter = undefined;
  assert.equal(lost.outcome, '502 node.unreachable');
  const again = await shop.execute(pay(to, 9), 'lost-1');
  assert.equal(again.body.transactionHash, lost.body.details['transactionHash']);
  assert.equal(await balance(to), 9n);
});

test('a refused transaction leaves no nonce gap, and a retry with its key repeats the refusal', async () => {
  const start = await nonce();
  const to = stranger();
  node.refuse = ({ method }) =>
    method === 'eth_sendRawTransaction' ? { code: -32000, message: 'intrinsic gas too low' } : undefined;
  const refused = await shop.execute(pay(to), 'refused-1');
  node.refuse = undefined;
  assert.match(
    `${refused.outcome} ${refused.body.detail}`,
    /^422 transaction.refused .*intrinsic gas too low/,
  );
  assert.equal((await shop.execute(pay(to), 'refused-1')).outcome, '422 transaction.refused');
  assert.equal((await shop.execute(pay(to), 'refused-2')).outcome, '200');
  assert.equal(await nonce(), start + 1);
  assert.equal(await balance(to), 1n);
});

test('a node without room burns no key: the same transaction is sent once there is', async () => {
  const start = await nonce();
  const to = stranger();
  node.refuse = ({ method }) =>
    method === 'eth_sendRawTransaction' ? { code: -32000, message: 'txpool is full' } : undefined;
  const full = await shop.execute(pay(to, 5), 'full-1');
  node.refuse = undefined;
  assert.equal(full.outcome, '502 node.unreachable');
  assert.match(full.body.detail, /Do not make another one: ask for its status\. .*: txpool is full\.$/);
  const again = await shop.execute(pay(to, 5), 'full-1');
  assert.equal(again.body.transactionHash, full.body.details['transactionHash']);
  assert.equal(await balance(to), 5n);
  assert.equal(await nonce(), start + 1);
});

test('a refusal beside a lost answer is not the outcome: a retry with the key pays once', async (t) => {
  const { url: target } = ethereum;
  const isSent = ({ method }: Call): boolean => method === 'eth_sendRawTransaction';
  // Neither node knows the transaction at first.
  let isHidden = true;
  const hide = (call: Call, reply: Reply): Reply =>
    isHidden && call.method === 'eth_getTransactionByHash' ? { ...reply, result: null } : reply;
  const refusing = await startNodeProxy({
    target,
    port: 0,
    refuse: (call) => (isSent(call) ? { code: -32000, message: 'insufficient funds for gas' } : undefined),
    alter: hide,
  });
  t.after(() => refusing.close());
  const cut = await startNodeProxy({
    target,
    port: 0,
    alter: (call, reply) => {
      if (isSent(call)) throw new Error('cut');
      return hide(call, reply);
    },
  });
  t.after(() => cut.close());
  const other = await startShop([{ ...ethereum.network, nodes: [refusing.url, cut.url] }]);
  t.after(() => other.close());
  const wallet = await other.wallet();
  await ethereum.fund(wallet.address, parseEther('1'));
  const to = stranger();
  const body = { ...pay(to, 1000), walletId: wallet.id };
  const lost = await other.execute(body, 'beside-1');
  assert.equal(lost.outcome, '502 node.unreachable', JSON.stringify(lost.body));
  isHidden = false;
  const again = await other.execute(body, 'beside-1');
  assert.equal(again.body.transactionHash, lost.body.details['transactionHash']);
  assert.equal(await balance(to), 1000n);
});

test('a lagging node never yields the same nonce twice', async () => {
  const start = await nonce();
  const old = `0x${start.toString(16)}`;
  node.alter = (call, reply) =>
    call.method === 'eth_getTransactionCount' ? { ...reply, result: old } : reply;
  const outcomes = [];
  for (let i = 0; i < 4; i++) outcomes.push((await shop.execute(pay(stranger()))).outcome);
  node.alter = undefined;
  assert.deepEqual(outcomes, ['200', '200', '200', '200']);
  assert.equal(await nonce(), start + 4);
});

test('on a network of the OP Stack, what it charges besides gas has to be there, too', async () => {
  const start = await nonce();
  const dear = `0x${parseEther('1000000').toString(16).padStart(64, '0')}`;
  node.alter = (call, reply) =>
    (call.params?.[0] as { to?: string } | undefined)?.to === '0x420000000000000000000000000000000000000F'
      ? { ...reply, result: dear }
      : reply;
  const { outcome } = await shop.execute(pay(stranger()));
  node.alter = undefined;
  assert.match(outcome, /transaction\.insufficient-funds/);
  assert.equal(await nonce(), start);
});

test('transactions that a node dropped are resent, and pending funds are not spent twice', async (t) => {
  const anvil = await startAnvil('--no-mining');
  t.after(() => anvil.close());
  const rpc = new JsonRpcProvider(anvil.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  t.after(() => rpc.destroy());
  const other = await startShop([{ ...ethereum.network, nodes: [anvil.url] }]);
  t.after(() => other.close());
  const wallet = await other.wallet();
  await rpc.send('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000']);
  const to = stranger();
  const body = { ...pay(to, parseEther('0.4')), walletId: wallet.id };
  const first = await other.execute(body);
  assert.equal((await other.execute(body)).outcome, '200');
  assert.equal((await other.execute(body)).outcome, '422 transaction.insufficient-funds');
  await rpc.send('anvil_dropAllTransactions', []);
  assert.equal(await rpc.getTransaction(first.body.transactionHash), null);
  assert.equal((await other.execute({ ...body, value: '1' })).outcome, '200');
  await rpc.send('anvil_mine', ['0x1']);
  await mined(rpc);
  assert.equal(await rpc.getTransactionCount(wallet.address), 3);
  assert.equal(await rpc.getBalance(to), parseEther('0.8') + 1n);
  assert.equal(await other.status(first.body.transactionHash), 'confirmed');
});

test('what was sent is listed, page by page', async () => {
  const read = (path: string, token = shop.shop) =>
    shop.call<HistoryEntry[]>(token, 'GET', `/api/wallets/${till.id}/transactions${path}`);
  const all = await read('?limit=1000');
  assert.equal(all.outcome, '200');
  assert.equal(all.headers.get('link'), null);
  const to = stranger();
  const { body: newest } = await shop.execute(pay(to));
  await mined(provider);
  // The list asks no node: this does.
  assert.equal(await shop.status(newest.transactionHash), 'confirmed');
  const { body: first, headers } = await read('?limit=1');
  const { createdAt, transactionHash, secretType, network, direction, status } = first[0]!;
  assert.deepEqual(
    [transactionHash, secretType, network, direction, status],
    [newest.transactionHash, 'ETHEREUM', ethereum.network.id, 'out', 'confirmed'],
  );
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < DEADLINE_MS);
  assert.ok(all.body.some(({ status, reason }) => status === 'failed' && reason === 'refused'));

  const found: string[] = [];
  let next = '?limit=3';
  for (let pages = 0; next; pages++) {
    assert.ok(pages <= all.body.length);
    const { body, headers } = await read(next);
    found.push(...body.map(({ transactionHash }) => transactionHash));
    // A transaction signed between two pages shifts nothing.
    if (pages === 0) await shop.execute(pay(stranger()));
    next = nextPage(headers) ?? '';
  }
  assert.deepEqual(
    found,
    [newest, ...all.body].map(({ transactionHash }) => transactionHash),
  );

  const [, cursor] = /cursor=([^&>]*)/.exec(headers.get('link')!)!;
  const other = await shop.wallet();
  const elsewhere = `/api/wallets/${other.id}/transactions?cursor=${cursor}`;
  assert.equal((await shop.call(shop.shop, 'GET', elsewhere)).outcome, '400 request.invalid cursor');
  assert.equal((await read('?cursor=1')).outcome, '400 request.invalid cursor');
  assert.equal((await read('?limit=1001')).outcome, '400 request.invalid limit');
  const user = await shop.user();
  assert.equal((await read('', user.token)).outcome, '403 wallet.forbidden');
});

test('a node named by the request is reached through the guard', async () => {
  const network = (nodeUrl: string) => ({ name: 'Mine', nodeUrl, chainId: 31337 });
  const to = stranger();
  const sent = await shop.execute(pay(to, 2, { network: network(ethereum.url) }));
  assert.equal(sent.outcome, '200', JSON.stringify(sent.body));
  assert.equal(await balance(to), 2n);
  const { outcome } = await shop.execute(pay(to, 2, { network: network('http://10.0.0.1:8545') }));
  assert.equal(outcome, '400 request.invalid network.nodeUrl');
  const wrong = await shop.execute(pay(to, 2, { network: { ...network(ethereum.url), chainId: 1 } }));
  assert.equal(wrong.outcome, '400 request.invalid network.chainId');
});
