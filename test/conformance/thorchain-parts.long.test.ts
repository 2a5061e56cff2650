/** Swaps in parts at the demo's THORChain, as THORNode's own regression has them, and what the wallet makes of their ends. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Books, Pool } from '../../demo/networks/thorchain/books.ts';
import type { Engine } from '../../demo/networks/thorchain/engine.ts';
import { isEnd, type Progress, refundOf, trackSwap } from '../../src/swaps/cross-chain/thorchain/tracking.ts';
import { ALICE, answerAt, type ListedChain, ListedThorchain } from './thorchain-lists.ts';

interface Regression {
  name: string;
  /** From the limit on. */
  order: string;
  deposit: string;
  pools: Record<'asset' | 'assetDepth' | 'runeDepth', string>[];
  fees: Record<string, string>;
  /** Output of the part, and RUNE that the pools get after it: `4901358 2907619 2921831`. */
  blocks: string[];
  outs: { asset: string; amount: string; kind: string }[];
  end: Record<string, string>;
}
const { regressions } = JSON.parse(
  readFileSync(new URL('../vectors/thorchain.vectors.json', import.meta.url), 'utf8'),
) as { regressions: { streams: Regression[] } };

const MIN_SLIP = 50n;
/** The deeper one of ETH; LTC has another price. */
const POOLS: Pool[] = [
  { asset: 'BTC.BTC', balanceAsset: 10n ** 8n, balanceRune: 10n ** 11n, decimals: 0, status: 'Available' },
  { asset: 'ETH.ETH', balanceAsset: 10n ** 9n, balanceRune: 10n ** 11n, decimals: 0, status: 'Available' },
  { asset: 'LTC.LTC', balanceAsset: 10n ** 11n, balanceRune: 10n ** 12n, decimals: 0, status: 'Available' },
];
const FEES: Record<string, bigint> = { 'BTC.BTC': 14_000n, 'ETH.ETH': 1_280_000n, 'LTC.LTC': 7_500n };

let thorchain: ListedThorchain;
let books: Books;
let btc: ListedChain;
let engine: Engine;

function start(pools: readonly Pool[]): void {
  thorchain = new ListedThorchain(pools);
  ({ books, btc, engine } = thorchain);
  books.mimir.set('L1SLIPMINBPS', Number(MIN_SLIP));
  books.outboundFee = (asset) => FEES[asset]!;
}
beforeEach(() => start(POOLS));
afterEach(() => thorchain.close());

const swapOf = (hash: string) => engine.swaps.get(hash)!;
const order = (terms: string): string => `=:ETH.ETH:${ALICE.ETH}:${terms}`;
const outsOf = (hash: string) =>
  swapOf(hash).outs.map(({ asset, amount, to, memo }) => [memo, to, asset, amount]);

/** Two pools with the fee of each taken out of its RUNE, by the formulas of the documentation. */
class Curve {
  constructor(
    private near: [asset: bigint, rune: bigint],
    private far: [asset: bigint, rune: bigint],
  ) {}

  swap(input: bigint): bigint {
    const [a, r] = this.near;
    const rune = this.#leg(input, a, r);
    this.near = [a + input, r - rune.out - rune.fee];
    const [b, s] = this.far;
    const end = this.#leg(rune.out, s, b);
    const held = b - end.out;
    const depth = s + rune.out;
    // Rounded to the nearest.
    this.far = [held, depth - (2n * end.fee * depth + held) / (2n * held)];
    return end.out;
  }

  #leg(x: bigint, X: bigint, Y: bigint): { out: bigint; fee: bigint } {
    const isOverLeast = Math.round((10_000 * Number(x)) / Number(x + X)) >= Number(MIN_SLIP);
    if (isOverLeast) return { out: (x * X * Y) / (x + X) ** 2n, fee: (x * x * Y) / (x + X) ** 2n };
    const fee = (MIN_SLIP * x * Y + 5_000n) / 10_000n / (x + X);
    return { out: (x * Y) / (x + X) - fee, fee };
  }
}
const curve = (): Curve => new Curve([10n ** 8n, 10n ** 11n], [10n ** 9n, 10n ** 11n]);

describe('parts are those of THORNode’s regression', () => {
  for (const { name, order: terms, deposit, pools, fees, blocks, outs, end } of regressions.streams)
    test(name, async () => {
      start(
        pools.map(({ asset, assetDepth, runeDepth }) => ({
          asset,
          balanceAsset: BigInt(assetDepth),
          balanceRune: BigInt(runeDepth),
          decimals: 0,
          status: 'Available',
        })),
      );
      books.outboundFee = (asset) => BigInt(fees[asset]!);
      const hash = thorchain.deposit(btc, order(terms), { amount: BigInt(deposit) });
      let gained = 0n;
      for (const block of blocks) {
        const [emitted, toBtc, toEth] = block.split(' ') as [string, string, string];
        const isHalted = emitted === '-' && end['failed_swaps'] === '';
        books.mimir.set('HALTETHTRADING', isHalted ? 1 : 0);
        await engine.tick();
        const { stream } = swapOf(hash);
        gained += emitted === '-' ? 0n : BigInt(emitted);
        assert.equal(stream!.gained, gained, block);
        books.pool('BTC.BTC').balanceRune += BigInt(toBtc);
        books.pool('ETH.ETH').balanceRune += BigInt(toEth);
      }
      assert.equal(swapOf(hash).isDone, true);
      assert.deepEqual(
        swapOf(hash).outs.map(({ asset, amount, memo }) => ({ asset, amount: `${amount}`, memo })),
        outs.map(({ kind, ...out }) => ({ ...out, memo: `${kind}:${hash}` })),
      );
      const { nodes } = await thorchain.startNodes();
      const { body } = await answerAt(nodes[0], 'block');
      const events = body['end_block_events'] as Record<string, string>[];
      const { tx_id, last_height, mode, type, ...told } = events.at(-1)!;
      assert.deepEqual(told, end);
      assert.deepEqual(
        [tx_id, last_height, mode, type],
        [hash, `${books.height}`, 'EndBlock', 'streaming_swap'],
      );
      const back = outs.find(({ kind }) => kind === 'REFUND');
      assert.deepEqual(
        events.slice(0, -1).map(({ code, coin, reason, id }) => [code, coin, reason, id]),
        back ? [['108', '4800000 BTC.BTC', 'streaming partial-refund', hash]] : [],
      );
    });
});

test('parts come at their interval, wait while they are paused, and stages count them', async () => {
  const { nodes } = await thorchain.startNodes();
  const stages = async (hash: string) =>
    ((await answerAt(nodes[0], `tx/status/${hash}`)).body['stages'] ?? {}) as Record<string, object>;
  books.mimir.set('STREAMINGSWAPPAUSE', 1);
  const hash = thorchain.deposit(btc, order('0/3/4'), { amount: 4_000_000n });
  await engine.tick(5);
  assert.deepEqual((await stages(hash))['swap_status'], { pending: true });
  assert.deepEqual((await stages(hash))['inbound_finalised'], { completed: true });
  books.mimir.set('STREAMINGSWAPPAUSE', 0);
  const counts: bigint[] = [];
  for (let block = 0; block < 7; block++) {
    await engine.tick();
    counts.push(swapOf(hash).stream!.count);
  }
  assert.deepEqual(counts, [1n, 1n, 1n, 2n, 2n, 2n, 3n]);
  const streaming = { interval: 3, quantity: 4, count: 3 };
  const before = await stages(hash);
  assert.deepEqual(before['swap_status'], { pending: true, streaming });
  assert.deepEqual(before['swap_finalised'], { completed: false });
  assert.equal(before['outbound_signed'], undefined);
  // A pause over the last part's block: it waits for the next one at its interval.
  books.mimir.set('STREAMINGSWAPPAUSE', 1);
  await engine.tick(3);
  books.mimir.set('STREAMINGSWAPPAUSE', 0);
  await engine.tick(2);
  assert.equal(swapOf(hash).isDone, false);
  await engine.tick();
  assert.equal(swapOf(hash).isDone, true);
  const after = await stages(hash);
  assert.deepEqual(after['swap_status'], { pending: false });
  assert.deepEqual(after['outbound_signed'], {
    scheduled_outbound_height: books.height,
    blocks_since_scheduled: 0,
    completed: true,
  });
  const pools = curve();
  const parts = Array.from({ length: 4 }, () => pools.swap(1_000_000n));
  const sum = parts.reduce((all, part) => all + part, 0n);
  assert.deepEqual(outsOf(hash), [[`OUT:${hash}`, ALICE.ETH, 'ETH.ETH', sum - 1_280_000n]]);
});

test('the demo has no parts: an order for them waits for a vote', async () => {
  const { startThorchain } = await import('../../demo/networks/thorchain/index.ts');
  const { startEthereum } = await import('../../demo/networks/ethereum.ts');
  const { startTronNetwork } = await import('../../demo/networks/tron.ts');
  const networks = await Promise.all([startEthereum({ port: 0 }), startTronNetwork({ port: 0 })]);
  const front = (await startThorchain({ networks, port: 0 }))!;
  try {
    const { books: real } = await front.running();
    assert.equal(real.isStreamingPaused, true);
  } finally {
    await front.close();
    await Promise.all(networks.map((network) => network.close()));
  }
});

test('the first part fails: all of the deposit comes back, less one fee, and no part is told of', async () => {
  const { nodes, clients } = await thorchain.startNodes();
  const hash = thorchain.deposit(btc, order('200000000/1/4'), { amount: 4_000_000n });
  await engine.tick(6);
  const emitted = curve().swap(1_000_000n);
  const { reason } = swapOf(hash);
  assert.equal(reason, `emit asset ${emitted} less than price limit 50000000`);
  assert.deepEqual(outsOf(hash), [[`REFUND:${hash}`, ALICE.BTC, 'BTC.BTC', 3_986_000n]]);
  assert.deepEqual(
    books.pools.filter(({ asset }) => asset !== 'BTC.BTC'),
    POOLS.filter(({ asset }) => asset !== 'BTC.BTC'),
  );
  const { body } = await answerAt(nodes[0], `block?height=${books.height - 5}`);
  assert.deepEqual(
    (body['end_block_events'] as { type: string }[]).map(({ type }) => type),
    ['refund'],
  );
  assert.deepEqual(await refundOf(hash, clients), { id: hash, reason: 'limit', parts: undefined });
});

test('a part whose pool validators give up, or that trading is halted for, fails or waits', async () => {
  const { clients } = await thorchain.startNodes();
  const hash = thorchain.deposit(btc, order('0/1/3'), { amount: 3_000_000n });
  await engine.tick();
  books.mimir.set('HALTBTCTRADING', 1);
  await engine.tick(4);
  assert.equal(swapOf(hash).stream!.count, 1n);
  books.mimir.delete('HALTBTCTRADING');
  books.mimir.set('RAGNAROK-ETH-ETH', 1);
  await engine.tick(2);
  const gained = curve().swap(1_000_000n);
  assert.deepEqual(outsOf(hash), [
    [`OUT:${hash}`, ALICE.ETH, 'ETH.ETH', gained - 1_280_000n],
    [`REFUND:${hash}`, ALICE.BTC, 'BTC.BTC', 1_986_000n],
  ]);
  assert.deepEqual(
    swapOf(hash).stream!.failures,
    [2n, 3n].map((part) => ({ part, reason: 'streaming swaps disabled on ragnarok asset ETH.ETH' })),
  );
  const end = { id: hash, reason: 'pool', parts: { returned: 2, all: 3 } };
  assert.deepEqual(await refundOf(hash, clients), end);
});

describe('nothing comes of what the fee would eat, which may have risen meanwhile', () => {
  /** With a fee on what is paid out, from the second part on. `failing`: later parts find no open pool. */
  async function spiked(fee: Partial<Record<string, bigint>>, failing: boolean): Promise<string> {
    const hash = thorchain.deposit(btc, order('0/1/3'), { amount: 3_000_000n });
    await engine.tick();
    books.outboundFee = (asset) => fee[asset] ?? FEES[asset]!;
    if (failing) books.pool('ETH.ETH').status = 'Staged';
    await engine.tick(3);
    assert.equal(swapOf(hash).isDone, true);
    return hash;
  }
  const eventsOf = async (): Promise<Record<string, string>[]> => {
    const { nodes } = await thorchain.startNodes();
    const { body } = await answerAt(nodes[0], `block?height=${books.height - 1}`);
    return body['end_block_events'] as Record<string, string>[];
  };
  const track = async (hash: string): Promise<Progress> => {
    const { clients } = await thorchain.startNodes();
    return trackSwap({ hash, recipient: ALICE.ETH }, clients, async () => false);
  };

  test('of the output, with every part swapped: nothing, and a block says so', async () => {
    const hash = await spiked({ 'ETH.ETH': 10n ** 9n }, false);
    const pools = curve();
    const gained = [1, 2, 3].reduce((sum) => sum + pools.swap(1_000_000n), 0n);
    assert.deepEqual(outsOf(hash), []);
    const [refund, end] = await eventsOf();
    assert.deepEqual(
      [refund!['code'], refund!['coin'], refund!['reason']],
      [
        '131',
        `${gained} ETH.ETH`,
        `not enough asset to pay for fees; fail to refund (${gained} ETH.ETH): streaming swap output`,
      ],
    );
    assert.deepEqual([end!['out'], end!['failed_swaps']], [`${gained} ETH.ETH`, '']);
    // Nodes plan nothing, and tell no end.
    assert.equal((await track(hash)).stage, 'paying-out');
  });

  test('of the output, and the rest comes back', async () => {
    const hash = await spiked({ 'ETH.ETH': 10n ** 9n }, true);
    assert.deepEqual(outsOf(hash), [[`REFUND:${hash}`, ALICE.BTC, 'BTC.BTC', 1_986_000n]]);
    const progress = await track(hash);
    assert.ok(isEnd(progress));
    assert.deepEqual(
      [progress.stage, progress.payouts, progress.refunds.map(({ amount }) => amount)],
      ['refunded', [], [1_986_000n]],
    );
    const { clients } = await thorchain.startNodes();
    const told = { id: hash, reason: 'pool', parts: { returned: 2, all: 3 } };
    assert.deepEqual(await refundOf(hash, clients), told);
  });

  for (const [name, fee] of [
    ['is all of it', 2_000_000n],
    ['leaves dust', 1_990_001n],
  ] as const)
    test(`of the rest, where the fee ${name}, and the output is paid`, async () => {
      const hash = await spiked({ 'BTC.BTC': fee }, true);
      const gained = curve().swap(1_000_000n);
      assert.deepEqual(outsOf(hash), [[`OUT:${hash}`, ALICE.ETH, 'ETH.ETH', gained - 1_280_000n]]);
      const [refund] = await eventsOf();
      const reason =
        'streaming partial-refund; fail to refund (2000000 BTC.BTC): not enough asset to pay for fees';
      assert.equal(refund!['reason'], reason);
      const progress = await track(hash);
      assert.ok(isEnd(progress));
      assert.deepEqual(
        [progress.stage, progress.payouts.map(({ amount }) => amount), progress.refunds],
        ['paid', [gained - 1_280_000n], []],
      );
    });
});

test('the wallet follows parts to an end with what came, what came back, and why', async () => {
  const { clients } = await thorchain.startNodes();
  const hash = thorchain.deposit(btc, order('34000000/2/4'), { amount: 4_000_000n });
  const stages: string[] = [];
  const look = async (): Promise<Progress> => {
    const progress = await trackSwap({ hash, recipient: ALICE.ETH }, clients, async () => false);
    stages.push(progress.stage);
    return progress;
  };
  const pools = curve();
  await engine.tick();
  await look();
  await engine.tick(2);
  const gained = pools.swap(1_000_000n) + pools.swap(1_000_000n);
  // The price falls by half: the limit of the other two is more than they give.
  books.pool('ETH.ETH').balanceAsset /= 2n;
  await engine.tick(2);
  await look();
  books.mimir.set('HALTSIGNINGBTC', 1);
  await engine.tick(2);
  // The output is paid; what comes back waits.
  assert.equal(swapOf(hash).outs.filter(({ paid }) => paid).length, 1);
  await look();
  books.mimir.delete('HALTSIGNINGBTC');
  await engine.tick(4);
  const end = await look();
  assert.deepEqual(stages, ['swapping', 'swapping', 'paying-out', 'part-refunded']);
  assert.ok(isEnd(end));
  const short = (payments: typeof end.payouts) =>
    payments.map(({ asset, amount, to }) => [asset, amount, to]);
  assert.deepEqual(short(end.payouts), [['ETH.ETH', gained - 1_280_000n, ALICE.ETH]]);
  assert.deepEqual(short(end.refunds), [['BTC.BTC', 1_986_000n, ALICE.BTC]]);
  const told = { id: hash, reason: 'limit', parts: { returned: 2, all: 4 } };
  assert.deepEqual(await refundOf(hash, clients), told);
});

/** 80,000 units of 1 gwei, half as much again. */
const QUOTED_FEE = 120_000n;

const quoted: [name: string, change: Record<string, string>, terms: string, most: bigint, parts: bigint][] = [
  // 50 bps of 10^11 RUNE are 500,000 of BTC.
  ['as many parts as are allowed', { streaming_interval: '2' }, '/2/0', 8n, 8n],
  ['fewer', { streaming_interval: '2', streaming_quantity: '3' }, '/2/3', 8n, 3n],
  ['no more than are allowed', { streaming_interval: '1', streaming_quantity: '99' }, '/1/99', 8n, 8n],
  ['no more than a day has', { streaming_interval: '4800', streaming_quantity: '9' }, '/4800/9', 3n, 3n],
];
for (const [name, change, terms, most, parts] of quoted)
  test(`a quote is for ${name}`, async () => {
    const { nodes } = await thorchain.startNodes();
    const question = new URLSearchParams({
      from_asset: 'BTC.BTC',
      to_asset: 'ETH.ETH',
      amount: '4000000',
      destination: ALICE.ETH,
      ...change,
    });
    const { body } = await answerAt(nodes[0], `quote/swap?${question}`);
    const interval = BigInt(change['streaming_interval']!);
    const blocks = Number(interval * (parts - 1n));
    assert.deepEqual(
      [body['max_streaming_quantity'], body['streaming_swap_blocks'], body['streaming_swap_seconds']],
      [Number(most), blocks, blocks * 6],
    );
    assert.equal(body['total_swap_seconds'], 600 + blocks * 6);
    // The first part, as many times.
    const each = curve().swap(4_000_000n / parts);
    assert.equal(body['expected_amount_out'], `${each * parts - QUOTED_FEE}`);
    assert.equal(body['memo'], `=:e:${ALICE.ETH}:0${terms}`);
    const hash = thorchain.deposit(btc, body['memo'] as string, { amount: 4_000_000n });
    await engine.tick();
    assert.equal(swapOf(hash).stream!.quantity, parts);
    assert.equal(swapOf(hash).stream!.gained, each);
  });

test('a quote without an interval is for a swap at once, and one for parts that pay no fee is refused', async () => {
  const { nodes } = await thorchain.startNodes();
  const ask = async (change: Record<string, string>) => {
    const question = { from_asset: 'b', to_asset: 'e', amount: '4000000', destination: ALICE.ETH, ...change };
    return answerAt(nodes[0], `quote/swap?${new URLSearchParams(question)}`);
  };
  const { body } = await ask({});
  assert.deepEqual([body['max_streaming_quantity'], body['streaming_swap_blocks']], [0, 0]);
  assert.equal(body['expected_amount_out'], `${curve().swap(4_000_000n) - QUOTED_FEE}`);
  // Of the whole at the pools' price, half: each part needs half of that.
  const limited = await ask({ streaming_interval: '2', streaming_quantity: '2', tolerance_bps: '5000' });
  assert.equal(limited.body['memo'], `=:e:${ALICE.ETH}:20000000/2/2`);
  // $25, which are about 5,000,000 of ETH.
  books.mimir.set('MINIMUML1OUTBOUNDFEEUSD', 2_500_000_000);
  const { status, body: refusal } = await ask({ streaming_interval: '1' });
  assert.equal(status, 500);
  assert.equal(refusal['message'], 'failed to simulate swap: not enough asset to pay for fees');
  for (const field of ['interval', 'quantity']) {
    const wrong = await ask({ [`streaming_${field}`]: '-1' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body['message'] as string, new RegExp(`^bad streaming ${field} amount`));
  }
});
