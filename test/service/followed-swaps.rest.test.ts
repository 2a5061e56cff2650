/** What becomes of a swap between chains that a wallet of the service began, on the demo's THORChain: Tron to Ethereum. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseUnits } from 'ethers';
import { utils } from 'tronweb';
import type { HistoryEntry, TransactionDetails } from '../../src/api/history.ts';
import type { WalletEvent } from '../../src/api/wallet-event.ts';
import { fromThor, toThor } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import { poll } from '../waiting.ts';
import { ALICE, TronOrders } from './cross-chain-setup.ts';
import { startTold, type Told } from './deposits-setup.ts';

const TRX = 10n ** 6n;

let orders: TronOrders;
let told: Told;
let wallet: { id: string; address: string };

before(async () => {
  orders = await TronOrders.start();
  told = await startTold(
    [],
    { swaps: { everyMs: 20, firstMs: 1 } },
    { networks: { customNodes: false, reported: [], ...orders.file } },
  );
  wallet = await told.shop.wallet('TRON');
  await orders.tron.fund(wallet.address, 1_000_000n * TRX);
});
after(async () => {
  await told?.close();
  await orders?.close();
});

/** Sends TRX to the vault with an order for ETH. Returns the hash. */
async function begin(limit: bigint, coins = 10_000n * TRX, parts = ''): Promise<string> {
  await orders.thorchain.engine.tick();
  const { body, outcome } = await told.shop.execute(orders.request(wallet.id, coins, limit, parts));
  assert.equal(outcome, '200', JSON.stringify(body));
  return body.transactionHash;
}

/** Goes on to the block of THORChain in which the last of a swap's outputs is paid. */
async function payOut(hash: string): Promise<void> {
  const { books, engine } = orders.thorchain;
  const { outs } = engine.swaps.get(hash.toUpperCase())!;
  books.height = Math.max(books.height, ...outs.map(({ height }) => height)) - 1;
  await engine.tick();
}

async function swapAt(hash: string): Promise<NonNullable<HistoryEntry['swap']>> {
  const path = `/api/transactions/${hash}?secretType=TRON`;
  const { body } = await told.shop.call<TransactionDetails>(told.shop.shop, 'GET', path);
  const { swap } = body.entries[0]!;
  assert.ok(swap);
  return swap;
}

const untilStage = (hash: string, stage: string): Promise<unknown> =>
  poll(async () => (await swapAt(hash)).stage === stage, `the stage ${stage} of ${hash}`);

type Settled = Extract<WalletEvent, { type: 'transaction.swap-settled' }>;
const settledOf = (hash: string): Settled[] =>
  told
    .events()
    .filter((event): event is Settled => event.type === 'transaction.swap-settled')
    .filter(({ data }) => data.transaction.transactionHash === hash);

async function aliceHas(): Promise<bigint> {
  const response = await fetch(orders.ethereum.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [ALICE, 'latest'] }),
  });
  return BigInt(((await response.json()) as { result: string }).result);
}

test('a swap is known from its first moment, and followed until it is paid out, which is told once', async () => {
  const hash = await begin(1n);
  const first = await swapAt(hash);
  assert.equal(first.stage, 'waiting');
  assert.deepEqual(first.input, { value: '10000', raw: `${10_000n * TRX}`, decimals: 6, symbol: 'TRX' });
  assert.deepEqual(
    [first.exchange, first.secretType, first.network, first.recipient, first.minimum.raw],
    ['THORChain', 'ETHEREUM', orders.ethereum.network.id, ALICE, '10000000000'],
  );
  orders.thorchain.books.mimir.set('HALTSIGNING', 1);
  await orders.mine();
  await orders.mine();
  await untilStage(hash, 'paying-out');
  orders.thorchain.books.mimir.delete('HALTSIGNING');
  await payOut(hash);
  await untilStage(hash, 'paid');
  const { payouts, refunds } = await swapAt(hash);
  const [out] = orders.thorchain.engine.swaps.get(hash.toUpperCase())!.outs;
  assert.deepEqual(refunds, []);
  assert.equal(payouts.length, 1);
  const [{ amount, transactionHash, network }] = payouts as [(typeof payouts)[number]];
  assert.equal(transactionHash, `0x${out!.paid!.hash.toLowerCase()}`);
  assert.deepEqual(
    [network, amount.symbol, amount.raw],
    [orders.ethereum.network.id, 'ETH', `${out!.amount * 10n ** 10n}`],
  );
  assert.equal(await aliceHas(), BigInt(amount.raw));

  await poll(() => settledOf(hash).length > 0, 'the event');
  const [{ data }] = settledOf(hash) as [Settled];
  assert.equal(data.wallet.id, wallet.id);
  assert.deepEqual(data.transaction.swap, await swapAt(hash));
  // In the wallet's history, too; and it is never looked at again.
  const { body } = await told.shop.call<HistoryEntry[]>(
    told.shop.shop,
    'GET',
    `/api/wallets/${wallet.id}/transactions`,
  );
  assert.equal(body.find(({ transactionHash: one }) => one === hash)?.swap?.stage, 'paid');
  const row = await rowOf(hash);
  assert.equal(row.next_look_at, null);
  assert.equal(settledOf(hash).length, 1);
});

const rowOf = (hash: string) =>
  told.shop.service.service.db
    .selectFrom('cross_chain_swaps as x')
    .innerJoin('transactions as t', 't.id', 'x.transaction_id')
    .select(['x.next_look_at', 'x.looks', 'x.swap'])
    .where('t.hash', '=', hash)
    .executeTakeFirstOrThrow();

const untilReason = (hash: string): Promise<string> =>
  poll(async () => (await swapAt(hash)).reason, `the reason of ${hash}`);

test('what comes back is a refund, in the asset that was sent, with its reason once a node tells', async () => {
  const hash = await begin(10n ** 15n);
  let silences = 4;
  for (const node of orders.front.nodes)
    node.change = (path, body) => (path.startsWith('tx/details/') && silences-- > 0 ? undefined : body);
  await orders.mine();
  await orders.mine();
  await untilStage(hash, 'refunded');
  assert.equal(await untilReason(hash), 'limit');
  assert.ok(silences < 0, `${silences}`);
  for (const node of orders.front.nodes) node.change = (_, body) => body;
  assert.equal((await rowOf(hash)).next_look_at, null);
  const events = settledOf(hash);
  assert.deepEqual(
    events.map(({ data }) => [data.transaction.swap?.stage, data.transaction.swap?.reason]),
    [['refunded', undefined]],
  );
  const { payouts, refunds } = await swapAt(hash);
  const [out] = orders.thorchain.engine.swaps.get(hash.toUpperCase())!.outs;
  assert.deepEqual(payouts, []);
  assert.equal(refunds[0]!.transactionHash, out!.paid!.hash.toLowerCase());
  assert.equal(refunds[0]!.amount.value, `${Number(out!.amount) / 1e8}`);
  assert.equal(parseUnits(refunds[0]!.amount.value!, 6).toString(), refunds[0]!.amount.raw);
});

test('an order in parts of which the later ones fail ends with what came and what came back, to the unit, and why', async () => {
  const { books, engine } = orders.thorchain;
  const deposit = 130_000n * TRX;
  const quote = books.snapshot().swap('TRON.TRX', 'ETH.ETH', toThor(deposit, 6)).out;
  books.mimir.set('STREAMINGSWAPPAUSE', 0);
  const hash = await begin((quote * 9n) / 10n, deposit, '/1/4');
  const hadEther = await aliceHas();
  await orders.mine();
  const { stream, outs } = engine.swaps.get(hash.toUpperCase())!;
  assert.deepEqual([stream!.count, stream!.quantity], [1n, 4n]);
  await untilStage(hash, 'swapping');
  await engine.tick();
  // The price falls by a third: the others would give too little.
  const pool = books.pool('ETH.ETH');
  pool.balanceAsset = (pool.balanceAsset * 2n) / 3n;
  const { gained } = stream!;
  await engine.tick(2);
  assert.deepEqual([stream!.isDone, stream!.gained, stream!.failures.length], [true, gained, 2]);
  await untilStage(hash, 'paying-out');
  const hadTrx = await trxOf(wallet.address);
  await payOut(hash);
  books.mimir.set('STREAMINGSWAPPAUSE', 1);
  pool.balanceAsset = (pool.balanceAsset * 3n) / 2n;
  orders.tron.ledger.mine();
  await untilStage(hash, 'part-refunded');
  assert.equal(await untilReason(hash), 'limit');
  const { payouts, refunds, parts } = await swapAt(hash);
  assert.deepEqual(parts, { returned: 2, all: 4 });
  assert.equal(outs.length, 2);
  // Alice has what is told, and the wallet has half of its coins again, less the fee.
  assert.deepEqual(
    payouts.map(({ amount: { raw, symbol } }) => [raw, symbol]),
    [[`${(await aliceHas()) - hadEther}`, 'ETH']],
  );
  assert.equal(payouts[0]!.amount.raw, `${fromThor(gained - books.outboundFee('ETH.ETH'), 18)}`);
  assert.deepEqual(
    refunds.map(({ amount: { raw, symbol } }) => [raw, symbol]),
    [[`${(await trxOf(wallet.address)) - hadTrx}`, 'TRX']],
  );
  const refundFee = fromThor(books.outboundFee('TRON.TRX'), 6);
  assert.equal(refunds[0]!.amount.raw, `${deposit / 2n - refundFee}`);
  await poll(() => settledOf(hash).length > 0, 'the event');
  assert.deepEqual(
    settledOf(hash).map(({ data }) => data.transaction.swap?.stage),
    ['part-refunded'],
  );
});

async function trxOf(address: string): Promise<bigint> {
  return orders.tron.ledger.machine.balance(`0x${utils.address.toHex(address).slice(2)}`);
}

test('a chain that is halted once the coins are sent has the swap wait, and neither is anything lost', async () => {
  const hash = await begin(1n);
  orders.thorchain.books.mimir.set('HALTTRONCHAIN', 1);
  await orders.mine();
  await orders.mine();
  const { looks } = await rowOf(hash);
  await poll(async () => (await rowOf(hash)).looks > looks + 1, 'two more looks');
  assert.equal((await swapAt(hash)).stage, 'waiting');
  orders.thorchain.books.mimir.delete('HALTTRONCHAIN');
  await orders.mine();
  await orders.mine();
  await untilStage(hash, 'paid');
});

test('trading that is halted once the coins are sent sends them back, and so does a vault that is gone', async () => {
  const halted = await begin(1n);
  orders.thorchain.books.mimir.set('HALTTRADING', 1);
  await orders.mine();
  await orders.mine();
  orders.thorchain.books.mimir.delete('HALTTRADING');
  const late = await begin(1n);
  await orders.thorchain.churn();
  await orders.thorchain.churn();
  await orders.mine();
  await orders.mine();
  for (const [hash, reason] of [
    [halted, 'halted'],
    [late, 'vault'],
  ] as const) {
    await untilStage(hash, 'refunded');
    assert.equal(await untilReason(hash), reason);
    const { payouts, refunds } = await swapAt(hash);
    assert.deepEqual([payouts.length, refunds.length], [0, 1]);
    const [out] = orders.thorchain.engine.swaps.get(hash.toUpperCase())!.outs;
    assert.equal(refunds[0]!.amount.raw, `${out!.amount / 100n}`);
  }
});

test('one node that lies or is gone ends nothing, and is followed no less', async () => {
  const hash = await begin(1n);
  const [one, other] = orders.front.nodes;
  const claimed = {
    id: 'F'.repeat(64),
    chain: 'ETH',
    to_address: ALICE,
    coins: [{ asset: 'ETH.ETH', amount: '1' }],
    memo: `OUT:${hash.toUpperCase()}`,
  };
  one.change = (path, body) =>
    path.startsWith('tx/status/')
      ? { out_txs: [claimed], stages: { inbound_observed: { started: true, completed: true } } }
      : body;
  other.down = true;
  await orders.mine();
  await orders.mine();
  await untilStage(hash, 'paying-out');
  other.down = false;
  other.status = 503;
  const { looks } = await rowOf(hash);
  await poll(async () => (await rowOf(hash)).looks > looks, 'another look');
  assert.equal((await swapAt(hash)).stage, 'paying-out');
  one.change = (_, body) => body;
  other.status = undefined;
  await untilStage(hash, 'paid');
  assert.notEqual((await swapAt(hash)).payouts[0]!.transactionHash, `0x${'f'.repeat(64)}`);
});

test('a payment that carries no order, or one that cannot be read, is no swap', async () => {
  for (const memo of ['thanks', '=:e:nobody:1']) {
    const { body } = await told.shop.execute({
      walletId: wallet.id,
      type: 'TRX_TRANSACTION',
      to: 'TGLFy29V8jPdpCFG1gKAowg4EKp7kRHprH',
      value: 1,
      data: `0x${Buffer.from(memo).toString('hex')}`,
    });
    if (body.transactionHash === undefined) continue;
    const path = `/api/transactions/${body.transactionHash}?secretType=TRON`;
    const { body: details } = await told.shop.call<TransactionDetails>(told.shop.shop, 'GET', path);
    assert.equal(details.entries[0]!.swap, undefined);
  }
});

test('every end was told once, also of what came back and had its reason later', () => {
  const ends = told.events().filter((event): event is Settled => event.type === 'transaction.swap-settled');
  const hashes = ends.map(({ data }) => data.transaction.transactionHash);
  assert.ok(hashes.length >= 3, `${hashes.length}`);
  assert.deepEqual(hashes, [...new Set(hashes)]);
});
