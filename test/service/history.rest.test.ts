/** The history of wallets, estimates, batches, replacing pending transactions, and importing keys. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Interface, JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { startEthereum, type LocalEthereum } from '../../demo/networks/ethereum.ts';
import { type LocalAeternity, startAeternityNetwork } from '../../demo/networks/aeternity.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { type NodeProxy, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import { litecoindPath, startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import { type LocalVechain, startVechainNetwork } from '../../demo/networks/vechain.ts';
import { type Estimate, HistoryEntry, type TransactionDetails } from '../../src/api/history.ts';
import { executeAll } from '../../service/transactions/batch.ts';
import type { BatchResult } from '../../src/api/orders.ts';
import { findIncoming as AETERNITY } from '../../src/chains/aeternity/incoming.ts';
import { findIncoming as EVM } from '../../src/chains/evm/incoming.ts';
import { findIncoming as TRON } from '../../src/chains/tron/incoming.ts';
import { findIncoming as UTXO } from '../../src/chains/utxo/incoming.ts';
import { findIncoming as VECHAIN } from '../../src/chains/vechain/incoming.ts';
import { loadChain } from '../../src/chains/load.ts';
import { SECRET_TYPES } from '../../src/chains/secret-type.ts';
import type { CreatedWallet, NativeBalance } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { OTHER_PIN, PIN } from './custody-setup.ts';
import { mined, type Result, type Shop, startShop } from './execute-setup.ts';
import { turnsWhile } from './turns.ts';

const ERC20 = new Interface(['function transfer(address to, uint256 amount)']);
const LOWEST_TIP = 25_000_000_000n;
const NO_LITECOIN = !litecoindPath();

let ethereum: LocalEthereum;
let vechain: LocalVechain;
let aeternity: LocalAeternity;
let litecoin: LocalUtxo | undefined;
let provider: JsonRpcProvider;
let front: NodeProxy;
/** What is signed reaches no node. */
let cut = false;
let whileSending: (() => Promise<void>) | undefined;
let shop: Shop;
let till: CreatedWallet;

before(async () => {
  [ethereum, vechain, aeternity, litecoin] = await Promise.all([
    startEthereum({ port: 0 }),
    startVechainNetwork({ port: 0 }),
    startAeternityNetwork({ port: 0 }),
    NO_LITECOIN ? undefined : startLitecoinNetwork({ port: 0 }),
  ]);
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  front = await startNodeProxy({
    target: ethereum.url,
    port: 0,
    async before(calls) {
      if (!calls.some(({ method }) => method === 'eth_sendRawTransaction')) return;
      if (cut) throw new Error('cut');
      await whileSending?.();
    },
  });
  const others = [vechain, aeternity, ...(litecoin ? [litecoin] : [])];
  shop = await startShop([
    { ...ethereum.network, nodes: [front.url] },
    ...others.map(({ network }) => network),
    { ...ethereum.network, id: 'polygon', coin: { symbol: 'POL' }, minTip: String(LOWEST_TIP) },
  ]);
  till = await shop.wallet();
  await ethereum.fund(till.address, parseEther('10'));
});

after(async () => {
  provider.destroy();
  await shop.close();
  await front.close();
  await Promise.all([ethereum, vechain, aeternity, litecoin].map((one) => one?.close()));
});

const stranger = () => Key.createRandom().address;

function pay(to: string, value: string | number | bigint = 1, more: object = {}) {
  return { type: 'ETH_TRANSACTION', walletId: till.id, to, value: String(value), ...more };
}

/** Transactions wait until `work` is done. */
async function held<T>(work: () => Promise<T>): Promise<T> {
  await mined(provider);
  await provider.send('evm_setAutomine', [false]);
  try {
    return await work();
  } finally {
    await provider.send('evm_setAutomine', [true]);
    await provider.send('evm_mine', []);
  }
}

async function list(id: string, query = ''): Promise<{ entries: HistoryEntry[]; headers: Headers }> {
  const path = `/api/wallets/${id}/transactions${query}`;
  const { outcome, body, headers } = await shop.call<HistoryEntry[]>(shop.shop, 'GET', path);
  assert.equal(outcome, '200', JSON.stringify(body));
  return { entries: body, headers };
}

function read(hash: string, secretType = 'ETHEREUM', token = shop.shop) {
  return shop.call<TransactionDetails>(token, 'GET', `/api/transactions/${hash}?secretType=${secretType}`);
}

/** The service asks a node only now and then: this lets it ask again at once. */
async function lookAgain(id: string): Promise<void> {
  const { db } = shop.service.service;
  await db
    .updateTable('arrival_looks')
    .set({ looked_at: new Date(0) })
    .where('wallet_id', '=', id)
    .execute();
}

function replace(hash: string, how: string, more: object = {}, key?: string) {
  return shop.execute({ walletId: till.id, ...more }, key, `${hash}/${how}`);
}

test('the history says what each transaction did, and what it cost', async () => {
  const to = stranger();
  const sent = await shop.execute(pay(to, parseEther('0.25')));
  await ethereum.give('DUSD', till.address);
  const token = await shop.execute(
    pay(ethereum.contracts.DUSD, 0, { data: ERC20.encodeFunctionData('transfer', [to, parseEther('1.5')]) }),
  );
  const { body: details } = await read(sent.body.transactionHash);
  assert.equal(details.status, 'confirmed');
  const [entry] = details.entries;
  assert.equal(entry!.walletId, till.id);
  const receipt = await provider.getTransactionReceipt(sent.body.transactionHash);
  assert.deepEqual(
    [
      entry!.direction,
      entry!.kind,
      entry!.from,
      entry!.to,
      entry!.amount,
      entry!.nonce,
      entry!.fee!.paid!.raw,
    ],
    [
      'out',
      'transfer',
      till.address,
      to,
      { value: '0.25', raw: String(parseEther('0.25')), decimals: 18, symbol: 'ETH' },
      0,
      String(receipt!.fee),
    ],
  );
  assert.ok(BigInt(entry!.fee!.maximum.raw) > receipt!.fee);
  const { direction: _, ...ofOlderService } = entry!;
  assert.equal(HistoryEntry.parse(ofOlderService).direction, 'out');
  const [newest, older] = (await list(till.id)).entries;
  assert.equal(older!.transactionHash, sent.body.transactionHash);
  assert.equal(newest!.transactionHash, token.body.transactionHash);
  assert.equal(newest!.to, to);
  assert.deepEqual(newest!.amount, {
    value: '1.5',
    raw: String(parseEther('1.5')),
    decimals: 18,
    symbol: 'DUSD',
    tokenAddress: ethereum.contracts.DUSD,
  });
});

test('a network’s own coin is in its balances, estimates and history, and its lowest tip is paid', async () => {
  const wallet = await shop.wallet('ETHEREUM', { identifier: 'coin', network: 'polygon' });
  await ethereum.fund(wallet.address, parseEther('2'));
  const balance = await shop.call<NativeBalance>(shop.shop, 'GET', `/api/wallets/${wallet.id}/balance`);
  assert.deepEqual(
    [balance.body.symbol, balance.body.gasSymbol, balance.body.rawBalance],
    ['POL', 'POL', String(parseEther('2'))],
  );
  const order = { ...pay(stranger()), walletId: wallet.id };
  const estimate = await shop.call<Estimate>(shop.shop, 'POST', '/api/transactions/estimate', order);
  assert.equal(estimate.body.fee.maximum.symbol, 'POL');
  const { transactionHash } = (await shop.execute(order)).body;
  const sent = await poll(() => provider.getTransaction(transactionHash), 'the transaction');
  assert.equal(sent!.maxPriorityFeePerGas, LOWEST_TIP);
  const { amount, fee } = (await read(transactionHash)).body.entries[0]!;
  assert.deepEqual([amount?.symbol, fee?.maximum.symbol], ['POL', 'POL']);
  const late = await shop.execute({ ...order, maxPriorityFeePerGas: '1' });
  assert.equal(late.outcome, '400 request.invalid maxPriorityFeePerGas');
});

test('the history is filtered by status and time, on every page', async () => {
  const wallet = await shop.wallet('ETHEREUM', { identifier: 'filtered' });
  await ethereum.fund(wallet.address, parseEther('1'));
  const send = async () =>
    (await shop.execute({ ...pay(stranger()), walletId: wallet.id })).body.transactionHash;
  const hashes = async (query: string) =>
    (await list(wallet.id, query)).entries.map(({ transactionHash }) => transactionHash);
  const [first, second] = [await send(), await send()];
  for (const hash of [first, second])
    await poll(async () => (await read(hash)).body.status === 'confirmed', 'the block');
  await held(async () => {
    const open = await send();
    assert.deepEqual(await hashes('?status=pending'), [open]);
    assert.deepEqual(await hashes('?status=confirmed'), [second, first]);
    assert.deepEqual(await hashes('?status=failed&direction=all'), []);
    const { headers } = await list(wallet.id, '?status=confirmed&limit=1');
    const next = /<\?([^>]*)>/.exec(headers.get('link')!)![1]!;
    assert.deepEqual(await hashes(`?${next}`), [first]);
    const path = `/api/wallets/${wallet.id}/transactions?`;
    const elsewhere = await shop.call(shop.shop, 'GET', path + next.replace('confirmed', 'pending'));
    assert.equal(elsewhere.outcome, '400 request.invalid cursor');
    const { createdAt } = (await list(wallet.id)).entries[1]!;
    const before = new Date(Date.parse(createdAt) - 1).toISOString();
    assert.deepEqual(await hashes(`?createdAfter=${before}`), [open, second]);
    assert.deepEqual(await hashes(`?createdAfter=${before}&status=pending`), [open]);
    for (const wrong of ['status=sent', 'createdAfter=today']) {
      const { outcome } = await shop.call(shop.shop, 'GET', path + wrong);
      assert.equal(outcome, `400 request.invalid ${wrong.split('=')[0]}`);
    }
  });
});

test('a transaction of somebody else, or of another chain, is not found', async () => {
  const { body } = await shop.execute(pay(stranger()));
  assert.equal((await read(`0x${'12'.repeat(32)}`)).outcome, '404 request.not-found');
  assert.equal((await read(body.transactionHash, 'GOCHAIN')).outcome, '404 request.not-found');
  assert.equal((await read('x')).outcome, '400 request.invalid hash');
  const user = await shop.user();
  assert.equal((await read(body.transactionHash, 'ETHEREUM', user.token)).outcome, '404 request.not-found');
});

test('arrivals are in the history, newest first and page by page', async () => {
  const { id, address } = await shop.wallet();
  assert.deepEqual((await list(id, '?direction=in')).entries, []);
  await lookAgain(id);
  await ethereum.fund(address, parseEther('1'));
  await ethereum.give('DUSD', address);
  await poll(async () => (await list(id, '?direction=in')).entries.length === 1, 'the token');
  const { entries, headers } = await list(id, '?direction=in');
  assert.match(headers.get('arrivals-read-at')!, /^20\d\d-/);
  const [arrived] = entries;
  assert.deepEqual(
    [arrived!.direction, arrived!.status, arrived!.to, arrived!.amount],
    [
      'in',
      'confirmed',
      address,
      {
        value: '1000',
        raw: String(parseEther('1000')),
        decimals: 18,
        symbol: 'DUSD',
        tokenAddress: ethereum.contracts.DUSD,
      },
    ],
  );
  const sent = await shop.execute({ ...pay(till.address), walletId: id });
  const first = await list(id, '?direction=all&limit=1');
  const next = /<\?([^>]*)>/.exec(first.headers.get('link')!)![1]!;
  const second = await list(id, `?${next}`);
  assert.deepEqual(
    [...first.entries, ...second.entries].map(({ transactionHash }) => transactionHash),
    [sent.body.transactionHash, arrived!.transactionHash],
  );
  assert.equal(second.headers.get('link'), null);
  // The place in one list is none in another.
  const elsewhere = await shop.call(
    shop.shop,
    'GET',
    `/api/wallets/${id}/transactions?${next.replace('all', 'in')}`,
  );
  assert.equal(elsewhere.outcome, '400 request.invalid cursor');
  assert.deepEqual(
    (await list(id)).entries.map(({ direction }) => direction),
    ['out'],
  );
  // The receiver's account reads it by its hash, too.
  assert.equal((await read(arrived!.transactionHash)).body.entries[0]!.walletId, id);
});

test('VeChain’s node reports coins; Aeternity’s without its middleware reports nothing', async () => {
  const rich = await shop.wallet('VECHAIN');
  const hash = await vechain.give('VET', rich.address);
  const [arrived] = (await list(rich.id, '?direction=in')).entries;
  assert.deepEqual(
    [arrived!.transactionHash, arrived!.amount!.symbol, arrived!.to],
    [hash, 'VET', rich.address],
  );
  const { id, address } = await shop.wallet('AETERNITY');
  await aeternity.give('AE', address);
  const { entries, headers } = await list(id, '?direction=in');
  assert.deepEqual([entries, headers.get('arrivals-read-at')], [[], null]);
});

test('every chain’s own nodes are asked what arrived', async () => {
  const own = { AETERNITY, BITCOIN: UTXO, ETHEREUM: EVM, GOCHAIN: EVM, LITECOIN: UTXO, TRON, VECHAIN };
  for (const secretType of SECRET_TYPES)
    assert.equal((await (await loadChain(secretType)).incoming!()).findIncoming, own[secretType], secretType);
});

test('what a reorganisation removed disappears from the history', async () => {
  const { id, address } = await shop.wallet();
  const before = await provider.send('evm_snapshot', []);
  await ethereum.give('DUSD', address);
  assert.equal((await list(id, '?direction=in')).entries.length, 1);
  await provider.send('evm_revert', [before]);
  // A node that is behind would not know it either: first it waits again.
  const statuses = new Set<string>();
  await poll(async () => {
    await lookAgain(id);
    const { entries } = await list(id, '?direction=in');
    for (const { status } of entries) statuses.add(status);
    return entries.length === 0;
  }, 'it is gone');
  assert.ok(statuses.has('pending'));
});

test('if a node does not report arrivals, the rest of the history is unchanged', async () => {
  const { id, address } = await shop.wallet();
  await ethereum.fund(address, parseEther('1'));
  const sent = await shop.execute({ ...pay(till.address), walletId: id });
  ethereum.down = true;
  const { entries, headers } = await list(id, '?direction=all');
  ethereum.down = false;
  assert.deepEqual(
    entries.map(({ transactionHash }) => transactionHash),
    [sent.body.transactionHash],
  );
  assert.equal(headers.get('arrivals-read-at'), null);
});

test('an estimate is what executing costs afterwards, and signs nothing', async () => {
  const to = stranger();
  const estimate = (body: object) =>
    shop.call<Estimate>(shop.shop, 'POST', '/api/transactions/estimate', body);
  const nonce = await provider.getTransactionCount(till.address);
  const { outcome, body } = await estimate(pay(to, parseEther('0.5'), { pincode: null }));
  assert.equal(outcome, '200', JSON.stringify(body));
  assert.deepEqual([body.kind, body.to, body.amount.value, body.refusal], ['transfer', to, '0.5', null]);
  assert.equal(body.total.raw, String(parseEther('0.5') + BigInt(body.fee.maximum.raw)));
  assert.equal(body.nonce, nonce);
  assert.equal(await provider.getTransactionCount(till.address), nonce);
  const { body: sent } = await shop.execute(pay(to, parseEther('0.5')));
  const [entry] = (await read(sent.transactionHash)).body.entries;
  assert.equal(entry!.fee!.maximum.raw, body.fee.maximum.raw);

  const short = await estimate(pay(to, parseEther('100')));
  assert.equal(short.body.refusal!.code, 'transaction.insufficient-funds');
  const failing = await estimate(pay(ethereum.contracts.DUSD, 0, { data: '0x12345678' }));
  assert.equal(failing.body.refusal!.code, 'transaction.refused');
  assert.equal((await estimate(pay('x'))).outcome, '400 request.invalid to');
  assert.equal((await estimate(pay(to, 1, { pincode: PIN }))).outcome, '400 request.invalid pincode');
  assert.equal((await estimate({ ...pay(to), walletId: 'nobody' })).outcome, '403 wallet.forbidden');
});

test('a batch is signed in order with one PIN check, and signs nothing again when repeated', async () => {
  const people = [stranger(), stranger(), stranger()];
  const nonce = await provider.getTransactionCount(till.address);
  const { db } = shop.service.service;
  const tries = async () =>
    (await db.selectFrom('pins').select('tries').where('id', '=', till.id).executeTakeFirstOrThrow()).tries;
  const triesBefore = await tries();
  const { walletId: _, ...first } = pay(people[0]!, 11);
  const body = {
    walletId: till.id,
    transactions: [first, pay(people[1]!, 12, { pincode: null }), pay(people[2]!, 13)],
  };
  const run = (more: object = {}, key?: string) =>
    shop.execute({ ...body, ...more }, key, 'batch') as Promise<{ outcome: string; body: unknown }>;
  assert.equal((await run()).outcome, '400 request.invalid Idempotency-Key');
  assert.equal((await run({ pincode: OTHER_PIN }, 'payroll')).outcome, '403 pincode.wrong');
  const done = (await run({}, 'payroll')).body as BatchResult;
  assert.deepEqual(
    done.map(({ outcome }) => outcome),
    ['sent', 'sent', 'sent'],
  );
  await mined(provider);
  for (const [at, to] of people.entries()) {
    assert.equal(await provider.getBalance(to), BigInt(11 + at));
    assert.equal((await provider.getTransaction(done[at]!.transactionHash!))!.nonce, nonce + at);
  }
  // The wrong PIN, and one for all.
  assert.equal(await tries(), triesBefore + 2);
  // The PIN is not checked again, as nothing is signed.
  assert.deepEqual((await run({ pincode: OTHER_PIN }, 'payroll')).body, done);
  assert.equal(
    (await run({ transactions: body.transactions.slice(0, 2) }, 'payroll')).outcome,
    '409 request.conflict',
  );
  assert.equal(await provider.getTransactionCount(till.address), nonce + 3);
});

test('a batch with an invalid request signs nothing, and names its field', async () => {
  const nonce = await provider.getTransactionCount(till.address);
  const run = async (transactions: object[]) =>
    (await shop.execute({ walletId: till.id, transactions }, 'wrong-batch', 'batch')).outcome;
  const good = pay(stranger());
  assert.equal(await run([good, pay('x', -1)]), '400 request.invalid transactions.1.value transactions.1.to');
  assert.equal(
    await run([good, { ...good, walletId: 'other' }]),
    '400 request.invalid transactions.1.walletId',
  );
  assert.equal(await run([good, { ...good, pincode: PIN }]), '400 request.invalid transactions.1.pincode');
  assert.equal(await run([]), '400 request.invalid transactions');
  assert.equal(await run(Array.from({ length: 101 }, () => good)), '400 request.invalid transactions');
  assert.equal(await provider.getTransactionCount(till.address), nonce);
});

test('while a batch with thousands of clauses is read, others have their turns', async () => {
  const wallet = { id: 'wallet', secret_type: 'VECHAIN' };
  const to = stranger();
  const batch = (count: number) => {
    const clauses = Array.from({ length: 33 }, () => ({ to, amount: '1' }));
    const transactions = Array.from({ length: count }, () => ({ type: 'VET_TRANSACTION', clauses }));
    const last = { type: 'VET_TRANSACTION', clauses: [] };
    return executeAll(shop.service.service, {
      wallet,
      body: { walletId: wallet.id, transactions: [...transactions, last] },
    } as never);
  };
  // Whatever has to be loaded.
  await assert.rejects(batch(1));
  const turns = await turnsWhile(() => assert.rejects(batch(99), { code: 'request.invalid' }));
  assert.ok(turns > 3, `${turns} turns`);
});

test('a batch stops at a refusal, unless it is told to continue', async () => {
  const to = stranger();
  const transactions = [pay(to, 21), pay(to, parseEther('1000')), pay(to, 23)];
  const run = async (more: object, key: string) =>
    (await shop.execute({ walletId: till.id, transactions, ...more }, key, 'batch'))
      .body as unknown as BatchResult;
  const stopped = await run({}, 'stops');
  assert.deepEqual(
    stopped.map(({ outcome, error }) => error?.code ?? outcome),
    ['sent', 'transaction.insufficient-funds', 'skipped'],
  );
  const gone = await run({ onRefusal: 'continue' }, 'goes-on');
  assert.deepEqual(
    gone.map(({ outcome }) => outcome),
    ['sent', 'refused', 'sent'],
  );
  // What was not signed is tried again.
  await ethereum.fund(till.address, parseEther('2000'));
  const again = await run({}, 'stops');
  assert.deepEqual(
    again.map(({ outcome }) => outcome),
    ['sent', 'sent', 'sent'],
  );
  assert.equal(again[0]!.transactionHash, stopped[0]!.transactionHash);
  await mined(provider);
  assert.equal(await provider.getBalance(to), parseEther('1000') + 21n + 21n + 23n + 23n);
});

test('a batch is one request, even if its first transaction was refused', async () => {
  const to = stranger();
  const run = (...transactions: object[]) =>
    shop.execute({ walletId: till.id, transactions, onRefusal: 'continue' }, 'one-request', 'batch');
  assert.equal((await run(pay(to, parseEther('9999')), pay(to, 24))).outcome, '200');
  // Nothing was signed in this place.
  assert.equal((await run(pay(to, 25))).outcome, '409 request.conflict');
  await mined(provider);
  assert.equal(await provider.getBalance(to), 24n);
});

test('what a batch signed but no node accepted is sent later, and nothing after it is signed', async () => {
  const to = stranger();
  const transactions = [pay(to, 26), pay(to, 27)];
  const run = async () =>
    (await shop.execute({ walletId: till.id, transactions }, 'cut', 'batch')).body as unknown as BatchResult;
  cut = true;
  const [first, second] = await run();
  cut = false;
  assert.deepEqual([first!.outcome, second!.outcome], ['unsent', 'skipped']);
  const again = await run();
  assert.deepEqual(
    again.map(({ outcome }) => outcome),
    ['sent', 'sent'],
  );
  assert.equal(again[0]!.transactionHash, first!.transactionHash);
  await mined(provider);
  assert.equal(await provider.getBalance(to), 53n);
});

/** What ends a batch that is under way, and how it is undone. */
const ENDS: Record<string, { code: string; set(walletId: string, ended: boolean): Promise<void> }> = {
  'its wallet is archived': {
    code: 'wallet.archived',
    async set(id, archived) {
      const { outcome } = await shop.call(shop.shop, 'PATCH', `/api/wallets/${id}`, { archived });
      assert.equal(outcome, '200');
    },
  },
  'its client is revoked': {
    code: 'token.invalid',
    async set(id, revoked) {
      const { db } = shop.service.service;
      const client = db.selectFrom('wallets').select('application_id').where('id', '=', id);
      await db
        .updateTable('clients')
        .set({ revoked_at: revoked ? new Date() : null })
        .where('id', '=', client)
        .execute();
    },
  },
};

for (const [what, { code, set }] of Object.entries(ENDS))
  test(`a batch signs nothing more once ${what}`, async () => {
    const { id, address } = await shop.wallet();
    await ethereum.fund(address, parseEther('1'));
    const to = stranger();
    const transactions = [28, 29, 30].map((value) => pay(to, value, { walletId: id }));
    const run = async () =>
      (await shop.execute({ walletId: id, transactions }, code, 'batch')).body as unknown as BatchResult;
    whileSending = () => set(id, true);
    const stopped = await run();
    whileSending = undefined;
    await set(id, false);
    assert.deepEqual(
      stopped.map(({ outcome, error }) => [outcome, error?.code]),
      [
        ['sent', undefined],
        ['refused', code],
        ['skipped', undefined],
      ],
    );
    await mined(provider);
    assert.equal(await provider.getBalance(to), 28n);
    assert.deepEqual(
      (await run()).map(({ outcome }) => outcome),
      ['sent', 'sent', 'sent'],
    );
    await mined(provider);
    assert.equal(await provider.getBalance(to), 87n);
  });

test('a batch stops while no node answers, and continues when repeated', async () => {
  const to = stranger();
  const transactions = [pay(to, 31), pay(to, 32)];
  const run = async () =>
    (await shop.execute({ walletId: till.id, transactions }, 'node-down', 'batch'))
      .body as unknown as BatchResult;
  ethereum.down = true;
  const nothing = await run();
  ethereum.down = false;
  assert.deepEqual(
    nothing.map(({ outcome, error }) => [outcome, error?.code]),
    [
      ['skipped', 'node.unreachable'],
      ['skipped', undefined],
    ],
  );
  assert.deepEqual(
    (await run()).map(({ outcome }) => outcome),
    ['sent', 'sent'],
  );
  await mined(provider);
  assert.equal(await provider.getBalance(to), 63n);
});

test('a pending transaction is sped up: one of the two takes effect, and each names the other', async () => {
  const to = stranger();
  const [first, second] = await held(async () => {
    const { body: slow } = await shop.execute(pay(to, 41));
    const faster = await replace(slow.transactionHash, 'speed-up', {}, 'faster-1');
    assert.equal(faster.outcome, '200', JSON.stringify(faster.body));
    assert.deepEqual(
      await replace(slow.transactionHash, 'speed-up', {}, 'faster-1').then(({ body }) => body),
      faster.body,
    );
    // The first one cannot be replaced a second time, the later one can.
    const twice = await replace(slow.transactionHash, 'cancel');
    assert.equal(twice.outcome, '409 request.conflict');
    assert.equal(twice.body.details['transactionHash'], faster.body.transactionHash);
    const third = await replace(faster.body.transactionHash, 'speed-up');
    assert.equal(third.outcome, '200', JSON.stringify(third.body));
    return [slow.transactionHash, third.body.transactionHash, faster.body.transactionHash];
  });
  await mined(provider);
  assert.equal(await provider.getBalance(to), 41n);
  const { body: winner } = await read(second!);
  assert.equal(winner.status, 'confirmed');
  const [oldest] = (await read(first!)).body.entries;
  assert.deepEqual([oldest!.status, oldest!.reason], ['failed', 'replaced']);
  assert.equal(
    oldest!.replacedBy,
    winner.entries[0]!.replaces && (await read(winner.entries[0]!.replaces)).body.transactionHash,
  );
  const settled = await replace(second!, 'speed-up');
  assert.equal(`${settled.outcome} ${settled.body.details['reason']}`, '409 request.conflict settled');
});

test('a pending transaction is cancelled: only the fee leaves the wallet', async () => {
  const to = stranger();
  await held(async () => {
    const { body: slow } = await shop.execute(pay(to, parseEther('1')));
    assert.equal(
      (await replace(slow.transactionHash, 'cancel', { pincode: OTHER_PIN })).outcome,
      '403 pincode.wrong',
    );
    const cancelled = await replace(slow.transactionHash, 'cancel');
    assert.equal(cancelled.outcome, '200', JSON.stringify(cancelled.body));
  });
  await mined(provider);
  assert.equal(await provider.getBalance(to), 0n);
});

test('what an older version signed is listed without its effects, and cannot be replaced', async () => {
  await held(async () => {
    const { body } = await shop.execute(pay(stranger(), 42));
    const hash = body.transactionHash;
    await sql`update transactions set draft = null, effect = null where hash = ${hash}`.execute(
      shop.service.service.db,
    );
    const { outcome, body: refused } = await replace(hash, 'cancel');
    assert.equal(`${outcome} ${refused.details['reason']}`, '409 request.conflict older-version');
    const [entry] = (await list(till.id, '?limit=1')).entries;
    assert.deepEqual([entry!.transactionHash, entry!.status, entry!.amount], [hash, 'pending', undefined]);
  });
});

test('a refused replacement says why', async () => {
  assert.equal((await replace(`0x${'12'.repeat(32)}`, 'cancel')).outcome, '404 request.not-found');
  assert.equal((await replace('x', 'cancel')).outcome, '400 request.invalid hash');
  const { id: walletId, address } = await shop.wallet('VECHAIN');
  await vechain.give('VET', address);
  await vechain.give('VTHO', address);
  const sent = await shop.execute({
    type: 'VET_TRANSACTION',
    walletId,
    clauses: [{ to: address, amount: '1' }],
  });
  const { outcome } = await replace(sent.body.transactionHash, 'speed-up', { walletId });
  assert.equal(outcome, '400 chain.not-supported');
});

test('a transaction of Aeternity is sped up', async () => {
  const { id: walletId, address } = await shop.wallet('AETERNITY');
  await aeternity.give('AE', address);
  aeternity.automine = false;
  const to = (await shop.wallet('AETERNITY')).address;
  const slow = await shop.execute({ type: 'AE_TRANSACTION', walletId, to, value: 5 });
  const fast = await replace(slow.body.transactionHash, 'speed-up', { walletId });
  aeternity.automine = true;
  assert.equal(fast.outcome, '200', JSON.stringify(fast.body));
});

test('a transaction of Litecoin is sped up, and arrives in the receiver’s history', {
  skip: NO_LITECOIN,
}, async () => {
  const [from, to] = [await shop.wallet('LITECOIN'), await shop.wallet('LITECOIN')];
  await litecoin!.fund(from.address, 1_000_000n);
  litecoin!.mining = false;
  const slow = await shop.execute({
    type: 'LTC_TRANSACTION',
    walletId: from.id,
    to: to.address,
    value: 200_000,
  });
  const waiting = await list(to.id, '?direction=in');
  assert.deepEqual(
    waiting.entries.map(({ status, amount }) => [status, amount!.value]),
    [['pending', '0.002']],
  );
  const fast = await replace(slow.body.transactionHash, 'speed-up', { walletId: from.id });
  assert.equal(fast.outcome, '200', JSON.stringify(fast.body));
  await litecoin!.mine();
  litecoin!.mining = true;
  await lookAgain(to.id);
  await poll(async () => {
    const { entries } = await list(to.id, '?direction=in');
    return entries.length === 1 && entries[0]!.status === 'confirmed';
  }, 'the block');
  const both = await read(fast.body.transactionHash, 'LITECOIN');
  assert.deepEqual(
    both.body.entries.map(({ direction, walletId }) => [direction, walletId]),
    [
      ['out', from.id],
      ['in', to.id],
    ],
  );
});

test('an imported key becomes a wallet that spends from its address', async () => {
  const key = Key.createRandom();
  const make = (body: object, headers = {}) =>
    shop.call<CreatedWallet & Result>(
      shop.shop,
      'POST',
      '/api/wallets/import',
      { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN, ...body },
      headers,
    );
  const made = await make({ key: key.privateKey, identifier: 'old-till' });
  assert.equal(made.outcome, '201', JSON.stringify(made.body));
  assert.equal(made.body.address, key.address);
  assert.equal(typeof made.body.recoveryCode, 'string');
  await ethereum.fund(key.address, parseEther('1'));
  const to = stranger();
  assert.equal((await shop.execute({ ...pay(to, 51), walletId: made.body.id })).outcome, '200');
  await mined(provider);
  assert.equal(await provider.getBalance(to), 51n);
  const exported = await shop.call<{ key: string }>(
    shop.shop,
    'POST',
    `/api/wallets/${made.body.id}/export`,
    {
      pincode: PIN,
    },
  );
  assert.equal(exported.body.key, key.privateKey);

  // The same identifier with the same key is the same wallet.
  assert.equal((await make({ key: key.privateKey, identifier: 'old-till' })).body.id, made.body.id);
  const other = await make({ key: Key.createRandom().privateKey, identifier: 'old-till' });
  assert.equal(`${other.outcome} ${other.body.details['field']}`, '409 request.conflict key');
  // One key is one wallet, in the whole service.
  const twice = await make({ key: key.privateKey });
  assert.deepEqual(
    [twice.outcome, twice.body.details],
    ['409 request.conflict', { field: 'key', walletId: made.body.id }],
  );
  const race = Key.createRandom().privateKey;
  const both = await Promise.all([make({ key: race, alias: 'a' }), make({ key: race, alias: 'b' })]);
  assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ['201', '409 request.conflict']);
  assert.equal((await make({ key: '0x12' })).outcome, '400 request.invalid key');
  assert.equal((await make({ key: '{"version":3}' })).outcome, '400 request.invalid key');
  const log = shop.service.log.join('\n');
  assert.ok(!log.includes(key.privateKey.slice(2)) && !log.includes(race.slice(2)));
});

test('a user imports a key with a proof, and spends with the master PIN', async () => {
  const user = await shop.user();
  const body = {
    walletType: 'THREEWAY_SHARED',
    secretType: 'ETHEREUM',
    pincode: PIN,
    key: Key.createRandom().privateKey,
  };
  const without = await user.call('POST', '/api/wallets/import', body, { device: undefined });
  assert.equal(without.outcome, '401 device.proof.invalid');
  assert.equal((await user.call('POST', '/api/wallets/import', body)).outcome, '201');
  const next = { ...body, key: Key.createRandom().privateKey };
  assert.equal(
    (await user.call('POST', '/api/wallets/import', { ...next, pincode: OTHER_PIN })).outcome,
    '403 pincode.wrong',
  );
  assert.equal((await user.call('POST', '/api/wallets/import', next)).outcome, '201');
});
