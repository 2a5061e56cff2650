/** The demo's THORChain by itself: what it notices, swaps, refunds, drops and answers, as its reference says, on chains that are lists. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { Books, type Pool, SwapFailure } from '../../demo/networks/thorchain/books.ts';
import { type Deposit, Engine, type LocalSide } from '../../demo/networks/thorchain/engine.ts';
import type { LocalThorchain } from '../../demo/networks/thorchain/index.ts';
import { makeTrouble, type Trouble } from '../../demo/networks/thorchain/trouble.ts';
import { BadMemo, parseMemo } from '../../demo/networks/thorchain/memo.ts';
import type { LocalThorNode } from '../../demo/networks/thorchain/nodes.ts';
import { checkAtTwoNodes } from '../../src/swaps/cross-chain/thorchain/check.ts';
import { NotAvailable } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import type { ThorNodes } from '../../src/swaps/cross-chain/thorchain/nodes.ts';
import { Offers } from '../../src/swaps/cross-chain/thorchain/offer.ts';
import { priceOf } from '../../src/swaps/cross-chain/thorchain/pricing.ts';
import { isEnd, type Progress, refundOf, trackSwap } from '../../src/swaps/cross-chain/thorchain/tracking.ts';
import { readMemo } from '../../src/swaps/cross-chain/thorchain/memo.ts';
import { ALICE, answerAt, type ListedChain, ListedThorchain, ROUTER } from './thorchain-lists.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/thorchain.vectors.json', import.meta.url), 'utf8'),
) as {
  swaps: Record<'name' | 'x' | 'X' | 'Y' | 'minSlip' | 'output', string>[];
  names: { pools: string[]; shortest: Record<string, string>; resolved: Record<string, string> };
  regressions: {
    refund: Record<'from' | 'to' | 'amount' | 'limit' | 'back' | 'reason', string> & {
      pools: Record<'asset' | 'assetDepth' | 'runeDepth', string>[];
    };
    outboundFee: string;
  };
  memos: { memo: string; refused?: string; refunded?: string; asset?: string; limit?: string }[];
};

const USDC = 'ETH.USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48';
const POOLS: Pool[] = [
  { asset: 'BTC.BTC', balanceAsset: 10n ** 11n, balanceRune: 10n ** 15n, decimals: 0, status: 'Available' },
  { asset: 'LTC.LTC', balanceAsset: 10n ** 13n, balanceRune: 10n ** 14n, decimals: 0, status: 'Available' },
  {
    asset: 'ETH.ETH',
    balanceAsset: 3n * 10n ** 12n,
    balanceRune: 10n ** 15n,
    decimals: 0,
    status: 'Available',
  },
  { asset: USDC, balanceAsset: 10n ** 15n, balanceRune: 2n * 10n ** 14n, decimals: 6, status: 'Available' },
];

let thorchain: ListedThorchain;
let books: Books;
let btc: ListedChain;
let ltc: ListedChain;
let eth: ListedChain;
let engine: Engine;

beforeEach(() => {
  thorchain = new ListedThorchain(POOLS);
  ({ books, btc, ltc, eth, engine } = thorchain);
});
afterEach(() => thorchain.close());

const deposit = (...order: Parameters<ListedThorchain['deposit']>): string => thorchain.deposit(...order);
const swapOf = (hash: string) => engine.swaps.get(hash);

test('its curve is that of THORNode', () => {
  for (const { name, x, X, Y, minSlip, output } of vectors.swaps) {
    const one = new Books(
      [
        {
          asset: 'BTC.BTC',
          balanceAsset: BigInt(X),
          balanceRune: BigInt(Y),
          decimals: 0,
          status: 'Available',
        },
        {
          asset: 'LTC.LTC',
          balanceAsset: 10n ** 30n,
          balanceRune: 10n ** 30n,
          decimals: 0,
          status: 'Available',
        },
      ],
      0,
    );
    one.mimir.set('L1SLIPMINBPS', Number(minSlip));
    assert.equal(`${one.swap('BTC.BTC', 'LTC.LTC', BigInt(x)).rune}`, output, name);
  }
});

test('its memos are those of THORNode', () => {
  for (const { memo, refused, asset, limit } of vectors.memos) {
    // Known names only: it has no others.
    if (refused && /affiliate|recipient|all/.test(refused)) continue;
    if (refused) assert.throws(() => parseMemo(memo), BadMemo, memo);
    else if (asset)
      assert.deepEqual([parseMemo(memo).asset, `${parseMemo(memo).limit}`], [asset, limit], memo);
  }
  const { pools, resolved } = vectors.names;
  const named = new Books(
    pools.map((asset) => ({
      asset,
      balanceAsset: 1n,
      balanceRune: 1n,
      decimals: 0,
      status: 'Available' as const,
    })),
    0,
  );
  for (const [name, asset] of Object.entries(resolved)) assert.equal(named.match(name), asset);
});

test('a swap pays what the pools give, less the fee, once the deposit has its confirmations', async () => {
  const hash = deposit(btc, `=:e:${ALICE.ETH}:1`, { amount: 1_000_000_000n });
  const expected = books.snapshot();
  await engine.tick();
  // 10 BTC are four times what a block pays.
  assert.equal(swapOf(hash)!.confirmations, 4);
  assert.equal(swapOf(hash)!.isDone, false);
  btc.tip += 2;
  await engine.tick();
  assert.equal(swapOf(hash)!.isDone, false);
  btc.tip++;
  await engine.tick();
  const { out } = expected.swap('BTC.BTC', 'ETH.ETH', 1_000_000_000n);
  const [planned] = swapOf(hash)!.outs;
  assert.equal(planned!.amount, out - books.outboundFee('ETH.ETH'));
  assert.equal(planned!.memo, `OUT:${hash}`);
  // About 99,000 RUNE: the longest delay, from when the deposit was seen, two blocks before.
  assert.equal(planned!.height, books.height - 2 + 720);
  assert.equal(eth.paid.length, 0);
  await engine.tick(717);
  assert.equal(eth.paid.length, 0);
  await engine.tick();
  assert.equal(eth.paid.length, 1);
  assert.equal(eth.paid[0]!.to, ALICE.ETH);
  await engine.tick(5);
  assert.equal(eth.paid.length, 1);
});

test('a token pays its fee in itself, and is rounded down to its decimals', async () => {
  const hash = deposit(ltc, `=:ETH.USDC:${ALICE.ETH}`, { amount: 5n * 10n ** 8n });
  await engine.tick();
  assert.equal(swapOf(hash)!.outs[0]!.asset, USDC);
  assert.equal(swapOf(hash)!.outs[0]!.amount % 100n, 0n);
});

const refunded: [name: string, memo: () => string, reason: RegExp, prepare?: () => void][] = [
  [
    'a limit that the pools do not meet',
    () => `=:e:${ALICE.ETH}:300000000`,
    /^emit asset \d+ less than price limit 300000000$/,
  ],
  [
    'a limit that only the fee breaks',
    () => {
      const gross = books.snapshot().swap('BTC.BTC', 'ETH.ETH', 10_000_000n).out;
      return `=:e:${ALICE.ETH}:${gross}`;
    },
    /^outbound amount does not meet requirements/,
  ],
  [
    'trading that is halted on its chain',
    () => `=:e:${ALICE.ETH}`,
    /trading is halted/,
    () => books.mimir.set('HALTBTCTRADING', 1),
  ],
  [
    'trading that is halted on the other chain',
    () => `=:e:${ALICE.ETH}`,
    /trading is halted/,
    () => books.mimir.set('HALTETHTRADING', 1),
  ],
  [
    'trading that is halted everywhere',
    () => `=:e:${ALICE.ETH}`,
    /trading is halted/,
    () => books.mimir.set('HALTTRADING', 1),
  ],
  [
    'a pool that is staged',
    () => `=:e:${ALICE.ETH}`,
    /is not available/,
    () => (books.pool('ETH.ETH').status = 'Staged'),
  ],
  [
    'an asset that is given up',
    () => `=:e:${ALICE.ETH}`,
    /is not available/,
    () => books.mimir.set('RAGNAROK-ETH-ETH', 1),
  ],
  ['an asset without a pool', () => `=:DOGE.DOGE:${ALICE.ETH}`, /is not supported/],
  ['its own asset', () => `=:b:${ALICE.BTC}`, /assets match/],
  ['a recipient of another chain', () => `=:e:${ALICE.LTC}`, /not a valid ETH address/],
  ['a name as recipient', () => '=:e:alice', /not a valid ETH address/],
  ['an affiliate', () => `=:e:${ALICE.ETH}:1:t:10`, /fail to fetch THORName/],
  ['a limit that is no number', () => `=:e:${ALICE.ETH}:five`, /price limit:five is invalid/],
  ['a function that it does not know', () => `swop:e:${ALICE.ETH}`, /invalid tx type/],
  ['letters that are not ASCII', () => `=:e:${ALICE.ETH}:1:é`, /ASCII/],
];
for (const [name, memo, reason, prepare] of refunded)
  test(`it refunds ${name}, less the fee of its own chain, and leaves the pools as they were`, async () => {
    prepare?.();
    const pools = structuredClone(books.pools);
    const hash = deposit(btc, memo());
    await engine.tick(2);
    const { reason: why, outs } = swapOf(hash)!;
    assert.match(why!, reason);
    const fee = books.outboundFee('BTC.BTC');
    assert.equal(btc.paid.length, 1);
    assert.deepEqual(
      outs.map(({ to, amount, memo: text, isRefund }) => ({ to, amount, memo: text, isRefund })),
      [{ to: ALICE.BTC, amount: 10_000_000n - fee, memo: `REFUND:${hash}`, isRefund: true }],
    );
    assert.deepEqual(
      books.pools.filter(({ asset }) => asset !== 'BTC.BTC'),
      pools.filter(({ asset }) => asset !== 'BTC.BTC'),
    );
  });

test('it refunds what THORNode refunds in its regression', async () => {
  const { refund, outboundFee } = vectors.regressions;
  books.pools = refund.pools.map(({ asset, assetDepth, runeDepth }) => ({
    asset,
    balanceAsset: BigInt(assetDepth),
    balanceRune: BigInt(runeDepth),
    decimals: 0,
    status: 'Available',
  }));
  books.outboundFee = () => BigInt(outboundFee);
  const hash = deposit(btc, `=:${refund.to}:${ALICE.ETH}:${refund.limit}`, { amount: BigInt(refund.amount) });
  await engine.tick(2);
  const { reason, outs } = swapOf(hash)!;
  assert.equal(reason, refund.reason);
  assert.deepEqual(
    outs.map(({ asset, amount, isRefund }) => [asset, `${amount}`, isRefund]),
    [[refund.from, refund.back, true]],
  );
});

test('a refund goes to the address of the memo, and to the sender if that is of another chain', async () => {
  const other = 'bc1qother';
  deposit(btc, `=:e:${ALICE.ETH}/${other}:999999999`);
  deposit(btc, `=:e:${ALICE.ETH}/${ALICE.ETH}:999999999`);
  await engine.tick();
  assert.deepEqual(
    btc.paid.map(({ to }) => to),
    [other, ALICE.BTC],
  );
});

test('nothing comes back of a refund that the fee would eat, or that is dust', async () => {
  const fee = books.outboundFee('BTC.BTC');
  const little = deposit(btc, `=:e:${ALICE.ETH}:999999999`, { amount: 10_000n });
  const dust = deposit(btc, `=:e:${ALICE.ETH}:999999999`, { amount: fee + 9_999n });
  await engine.tick();
  for (const hash of [little, dust]) {
    assert.match(swapOf(hash)!.reason!, /^fail to refund non-native tx, leaving coins in vault/);
    assert.deepEqual(swapOf(hash)!.outs, []);
  }
});

test('a swap whose output the fee would eat, or leave as dust, comes back', async () => {
  const fee = books.outboundFee('BTC.BTC');
  assert.equal(fee, 6_000n);
  // A coin of 1,000 satoshis, at these pools.
  const eaten = deposit(ltc, `=:b:${ALICE.BTC}`, { amount: 500_000n });
  const dust = deposit(ltc, `=:b:${ALICE.BTC}`, { amount: 15_900_000n });
  const enough = deposit(ltc, `=:b:${ALICE.BTC}`, { amount: 16_100_000n });
  await engine.tick();
  for (const [hash, amount] of [
    [eaten, 500_000n],
    [dust, 15_900_000n],
  ] as const) {
    // As in THORNode's regression.
    const reason =
      'fail to add outbound tx: 2 errors occurred:\n\t* internal error\n\t* not enough asset to pay for fees\n\n';
    assert.equal(swapOf(hash)!.reason, reason);
    assert.deepEqual(
      swapOf(hash)!.outs.map((out) => [out.asset, out.amount, out.isRefund]),
      [['LTC.LTC', amount - books.outboundFee('LTC.LTC'), true]],
    );
  }
  assert.equal(swapOf(enough)!.outs[0]!.isRefund, false);
});

const unseen: [name: string, memo: string, more: Partial<Deposit>, reason?: RegExp][] = [
  ['less than the dust threshold', `=:e:${ALICE.ETH}`, { amount: 9_999n }, /dust/],
  ['no memo', '', {}, /no memo/],
  ['a memo of 251 bytes', `=:e:${ALICE.ETH}:1:${'x'.repeat(203)}`, {}, /memo too long/],
  ['an unlisted token', `=:b:${ALICE.BTC}`, { asset: 'ETH.SCAM-0X00' }, /unlisted/],
  ['a vault that it does not know', `=:e:${ALICE.ETH}`, { vault: 7 }],
];
for (const [name, memo, more, reason] of unseen)
  test(`it does not notice ${name}, and sends nothing back`, async () => {
    const hash = deposit(btc, memo, more);
    await engine.tick(3);
    assert.equal(swapOf(hash), undefined);
    if (reason) assert.match(engine.ignored[0]!.reason, reason);
    assert.deepEqual([...btc.paid, ...eth.paid], []);
  });

test('a retiring vault is as good as an active one, an inactive one sends back, an older one is forgotten', async () => {
  const to = (vault: number) => deposit(btc, `=:e:${ALICE.ETH}`, { vault });
  books.churn();
  const retiring = to(1);
  await engine.tick(2);
  assert.equal(swapOf(retiring)!.outs[0]!.isRefund, false);
  assert.equal(eth.paid[0]!.vault, 2);
  books.churn();
  const inactive = to(1);
  await engine.tick();
  assert.equal(swapOf(inactive)!.reason, 'observed inbound tx to an inactive vault');
  assert.deepEqual(
    btc.paid.map(({ vault, to: address, amount }) => [vault, address, amount]),
    [[1, ALICE.BTC, 9_996_000n]],
  );
  books.churn();
  const old = to(1);
  await engine.tick();
  assert.equal(swapOf(old), undefined);
});

test('a chain that is halted waits, and so do outputs while nothing is signed', async () => {
  books.mimir.set('HALTBTCCHAIN', 1);
  const hash = deposit(btc, `=:e:${ALICE.ETH}`);
  await engine.tick(3);
  assert.equal(swapOf(hash), undefined);
  books.mimir.delete('HALTBTCCHAIN');
  books.mimir.set('HALTSIGNINGETH', 1);
  await engine.tick(3);
  assert.equal(swapOf(hash)!.isDone, true);
  assert.equal(engine.queue.length, 1);
  assert.deepEqual(eth.paid, []);
  books.mimir.delete('HALTSIGNINGETH');
  await engine.tick();
  assert.equal(eth.paid.length, 1);
});

test('coins that come after the quote expired are swapped at the price of then, within the limit of their memo', async () => {
  await startNodes();
  const { body } = await quote({ liquidity_tolerance_bps: '500' });
  const [expiry, promised] = [Number(body.expiry), BigInt(body.expected_amount_out as string)];
  // Others have swapped meanwhile: the price is 2 % worse.
  books.pool('ETH.ETH').balanceAsset = (books.pool('ETH.ETH').balanceAsset * 98n) / 100n;
  const { out } = books.snapshot().swap('BTC.BTC', 'ETH.ETH', 10_000_000n);
  const late = deposit(btc, body.memo as string);
  const later = new Engine(books, [btc, ltc, eth], () => (expiry + 60) * 1000);
  await later.tick();
  assert.ok(books.time > expiry * 1000);
  const [paid] = later.swaps.get(late)!.outs;
  assert.equal(paid!.isRefund, false);
  assert.equal(paid!.amount, out - books.outboundFee('ETH.ETH'));
  assert.ok(paid!.amount < promised && paid!.amount * 100n >= promised * 95n);
  // And 6 % in all: less than the memo accepts.
  books.pool('ETH.ETH').balanceAsset = (books.pool('ETH.ETH').balanceAsset * 96n) / 100n;
  const tooLate = deposit(btc, body.memo as string);
  await later.tick();
  assert.deepEqual(
    later.swaps.get(tooLate)!.outs.map(({ isRefund, amount }) => [isRefund, amount]),
    [[true, 10_000_000n - books.outboundFee('BTC.BTC')]],
  );
});

test('a swap moves both pools by what goes in and out, and takes their fees out of the RUNE', () => {
  const [x, X, Y] = [10_000_000n, 10n ** 11n, 10n ** 15n];
  const { out, rune } = books.swap('BTC.BTC', 'ETH.ETH', x);
  const fee = (x * x * Y) / (x + X) ** 2n;
  assert.equal(rune, (x * X * Y) / (x + X) ** 2n);
  assert.deepEqual(
    [books.pool('BTC.BTC').balanceAsset, books.pool('BTC.BTC').balanceRune],
    [X + x, Y - rune - fee],
  );
  const { balanceAsset, balanceRune } = books.pool('ETH.ETH');
  assert.equal(balanceAsset, 3n * 10n ** 12n - out);
  const second = (rune * rune * 3n * 10n ** 12n) / (rune + Y) ** 2n;
  const inRune = (second * (Y + rune)) / balanceAsset;
  const taken = Y + rune - balanceRune;
  assert.ok(taken === inRune || taken === inRune + 1n, `${taken} for ${inRune}`);
});

test('paying out has a fee on each chain, of a token in itself, and of a few cents at least', () => {
  books.pools.push({ ...books.pool('LTC.LTC'), asset: 'TRON.TRX', decimals: 6 });
  const fees = ['BTC.BTC', 'LTC.LTC', 'ETH.ETH', 'TRON.TRX', USDC].map((asset) => books.outboundFee(asset));
  // Rate by size, half as much again; of LTC that is 7,500, but a cent is more. 120,000 of ETH are 0.4 RUNE, which are 2 USDC.
  assert.deepEqual(fees, [6_000n, 20_000n, 120_000n, 1_350_000_000n, 200_000_000n]);
  // $5 are one RUNE.
  books.mimir.set('MINIMUML1OUTBOUNDFEEUSD', 500_000_000);
  assert.equal(books.outboundFee('BTC.BTC'), 10_000n);
  assert.equal(books.outboundFee('ETH.ETH'), 300_000n);
});

test('the least slip is charged', () => {
  const without = books.snapshot().swap('BTC.BTC', 'ETH.ETH', 10_000_000n);
  books.mimir.set('L1SLIPMINBPS', 50);
  const out = books.swap('BTC.BTC', 'ETH.ETH', 10_000_000n);
  assert.ok(out.out < (without.out * 991n) / 1000n);
  assert.throws(() => books.swap('BTC.BTC', 'BTC.BTC', 1n), SwapFailure);
});

/** The same in every run. */
const SEED = 37;

test('what the wallet reads in a memo is what THORChain reads, whatever else is in it', () => {
  const part = fc.constantFrom(
    '',
    '0',
    '1',
    '161e6',
    '1.5e3',
    '7e-2',
    '-1',
    'x',
    '99999999999999999999',
    ' ',
    '1_0',
    '٣',
  );
  const text = (...forms: fc.Arbitrary<string>[]) => fc.tuple(...forms).map((all) => all.join(''));
  const memos = fc
    .tuple(
      fc.constantFrom('=', 's', 'S', 'swap', 'SWAP', '=<', '+', 'sw', ''),
      fc.constantFrom(
        'b',
        'B',
        'e',
        'tr',
        'l',
        'BTC.BTC',
        'eth.usdc-06eb48',
        'ETH.USDC',
        'ETH',
        'ETH~ETH',
        'ETH.',
        '',
      ),
      fc.constantFrom(
        ALICE.BTC,
        ALICE.LTC,
        ALICE.ETH,
        '',
        `${ALICE.ETH}/${ALICE.BTC}`,
        '/x',
        'alice',
        `${ALICE.ETH} `,
      ),
      fc.oneof(
        part,
        text(part, fc.constant('/'), part),
        text(part, fc.constant('/'), part, fc.constant('/'), part),
      ),
      fc.constantFrom('', ':', ':t:10', ':t:', ':t/t1:10', ':t:20000', ':::x', '|:b:x'),
    )
    .map(([action, asset, to, limit, rest]) => `${action}:${asset}:${to}:${limit}${rest}`);
  let read = 0;
  fc.assert(
    fc.property(memos, (memo) => {
      const order = readMemo(memo);
      if (!order || 'unreadable' in order) return;
      read++;
      const theirs = parseMemo(memo);
      assert.equal(order.asset, theirs.asset, memo);
      assert.equal(order.limit, theirs.limit, memo);
      assert.equal(order.recipient?.toLowerCase() ?? '', theirs.destination.toLowerCase(), memo);
      assert.deepEqual(order.streaming ?? { interval: 0n, quantity: 0n }, {
        interval: theirs.interval,
        quantity: theirs.quantity,
      });
      assert.deepEqual(
        order.affiliates.map(({ name }) => name),
        theirs.affiliates,
      );
    }),
    { numRuns: 20_000, seed: SEED },
  );
  assert.ok(read > 200, `${read} were read`);
});

test('what the wallet computes is what THORChain pays, in 2,000 pools', () => {
  const depth = fc.bigInt(10n ** 8n, 10n ** 16n);
  fc.assert(
    fc.property(
      fc.array(depth, { minLength: 4, maxLength: 4 }),
      fc.bigInt(1n, 10n ** 13n),
      fc.integer({ min: 0, max: 100 }),
      fc.constantFrom(0, 6),
      ([a, b, c, d], amount, minSlip, decimals) => {
        const one = new Books(
          [
            { asset: 'BTC.BTC', balanceAsset: a!, balanceRune: b!, decimals: 0, status: 'Available' },
            { asset: 'LTC.LTC', balanceAsset: c!, balanceRune: d!, decimals, status: 'Available' },
          ],
          0,
        );
        one.mimir.set('L1SLIPMINBPS', minSlip);
        const pools = one.pools.map(({ asset, balanceAsset, balanceRune, decimals: places }) => ({
          asset,
          isOpen: true,
          decimals: places || 8,
          assetDepth: balanceAsset,
          runeDepth: balanceRune,
        }));
        const terms = { pools, minSlip: BigInt(minSlip), outboundFee: 0n };
        let gross: bigint;
        try {
          ({ gross } = priceOf(terms, { from: 'BTC.BTC', to: 'LTC.LTC', amount }));
        } catch {
          assert.throws(() => one.swap('BTC.BTC', 'LTC.LTC', amount), SwapFailure);
          return;
        }
        const { out } = one.swap('BTC.BTC', 'LTC.LTC', amount);
        // The least fee is rounded before the last division there.
        const unit = decimals === 6 ? 100n : 1n;
        const difference = gross > out ? gross - out : out - gross;
        assert.ok(difference <= unit * (1n + c! / d!), `${gross} and ${out}`);
      },
    ),
    { numRuns: 2_000, seed: SEED },
  );
});

let nodes: LocalThorNode[] = [];
let clients: ThorNodes;

async function startNodes(): Promise<void> {
  ({ nodes, clients } = await thorchain.startNodes());
}

const get = (path: string, node = nodes[0]!): ReturnType<typeof answerAt> => answerAt(node, path);

const QUOTE = { from_asset: 'BTC.BTC', to_asset: 'ETH.ETH', amount: '10000000', destination: ALICE.ETH };
const quote = (change: Record<string, string> = {}, node = nodes[0]) => {
  const query = new URLSearchParams(
    Object.entries({ ...QUOTE, ...change }).filter(([, value]) => value !== ''),
  );
  return get(`quote/swap?${query}`, node);
};

test('a quote is what the swap then pays', async () => {
  await startNodes();
  const { body } = await quote();
  assert.equal(body.memo, `=:e:${ALICE.ETH}`);
  assert.equal(body.inbound_address, 'vault-1-of-BTC');
  const hash = deposit(btc, body.memo as string);
  await engine.tick();
  assert.equal(`${swapOf(hash)!.outs[0]!.amount}`, body.expected_amount_out);
});

const refusals: [
  name: string,
  change: Record<string, string>,
  status: number,
  message: RegExp,
  prepare?: () => void,
][] = [
  ['no asset', { to_asset: '' }, 400, /missing to_asset/],
  ['an unknown asset', { to_asset: 'DOGE.DOGE' }, 500, /^bad to asset/],
  ['an unknown asset to sell', { from_asset: 'DOGE.DOGE' }, 500, /^bad from asset/],
  ['an asset without pool', { to_asset: 'ETH.SHIB-0X1' }, 500, /pool .* doesn't exist/],
  [
    'an asset without pool, of which there is no price',
    { to_asset: 'ETH.SHIB-0X1', tolerance_bps: '100' },
    500,
    /^pool does not exist$/,
  ],
  ['an amount that is no number', { amount: '1e8' }, 400, /^bad amount/],
  ['dust', { amount: '9999' }, 500, /^amount less than dust threshold$/],
  ['a recipient of another chain', { destination: ALICE.BTC }, 500, /^bad destination address/],
  ['a refund address of another chain', { refund_address: ALICE.ETH }, 500, /^bad refund address/],
  ['both tolerances', { tolerance_bps: '1', liquidity_tolerance_bps: '1' }, 400, /must only include one of/],
  ['a tolerance of all', { liquidity_tolerance_bps: '10000' }, 400, /must be less than 10000/],
  [
    'a tolerance that the slip breaks',
    { tolerance_bps: '0' },
    500,
    /^failed to simulate swap: emit asset \d+ less than price limit \d+$/,
  ],
  [
    'a tolerance that only the fee breaks',
    // Slip takes 4 hundredths of a per cent, the fee as much again.
    { tolerance_bps: '5' },
    500,
    /^failed to simulate swap: outbound amount does not meet requirements \(\d+\/299850000\)$/,
  ],
  ['much for affiliates', { affiliate_bps: '1001' }, 500, /must not be more than 1000 bps/],
  ['an affiliate', { affiliate: 't', affiliate_bps: '5' }, 500, /fail to fetch THORName/],
  [
    'a halt',
    {},
    500,
    /^failed to simulate swap: trading is halted, can't process swap: invalid request$/,
    () => books.mimir.set('HALTETHTRADING', 1),
  ],
  [
    'less than the fee',
    { from_asset: 'LTC.LTC', to_asset: 'BTC.BTC', amount: '500000', destination: ALICE.BTC },
    500,
    /not enough asset to pay for fees/,
  ],
  [
    'a memo that Litecoin cannot carry',
    {
      from_asset: 'LTC.LTC',
      amount: '1000000000',
      refund_address: ALICE.LTC,
      to_asset: USDC,
      tolerance_bps: '100',
    },
    500,
    /^generated memo too long for source chain$/,
  ],
  [
    'a memo that the chain cannot carry',
    { to_asset: USDC, refund_address: ALICE.BTC, liquidity_tolerance_bps: '100' },
    500,
    /^generated memo too long for source chain$/,
  ],
];
for (const [name, change, code, message, prepare] of refusals)
  test(`a quote refuses ${name}, in both forms of errors`, async () => {
    prepare?.();
    await startNodes();
    nodes[1]!.hasOldErrors = true;
    const { status, body } = await quote(change);
    assert.equal(status, code);
    assert.match(body.message as string, message);
    assert.deepEqual(body.code, code === 500 ? 2 : 3);
    const old = await quote(change, nodes[1]);
    assert.equal(old.status, 500);
    assert.deepEqual(Object.keys(old.body), ['error']);
  });

test('a quote has no memo without a recipient, short names where one leads to the asset, and limits', async () => {
  await startNodes();
  assert.equal((await quote({ destination: '' })).body.memo, undefined);
  assert.equal((await quote({ to_asset: 'e' })).body.memo, `=:e:${ALICE.ETH}`);
  const { body } = await quote({ to_asset: 'ETH.USDC', liquidity_tolerance_bps: '100' });
  const limit = (BigInt(body.expected_amount_out as string) * 99n) / 100n;
  assert.equal(body.memo, `=:ETH.USDC:${ALICE.ETH}:${limit}`);
  // 0.1 BTC are 3 ETH at the pools' price.
  assert.equal((await quote({ tolerance_bps: '100' })).body.memo, `=:e:${ALICE.ETH}:297000000`);
  books.pools.push({
    asset: 'ETH.USDC-0XFFFF6EB48',
    balanceAsset: 1n,
    balanceRune: 10n ** 16n,
    decimals: 6,
    status: 'Available',
  });
  assert.equal((await quote({ to_asset: USDC })).body.memo, `=:ETH.USDC-06EB48:${ALICE.ETH}`);
  // The deepest pool wins.
  assert.equal(books.match('ETH.USDC-6EB48'), 'ETH.USDC-0XFFFF6EB48');
});

test('stages tell how far a swap is, and an unknown one has not begun', async () => {
  await startNodes();
  const status = async (hash: string) =>
    (await get(`tx/status/${hash}`)).body as {
      stages: Record<string, Record<string, unknown>>;
      out_txs?: unknown[];
    };
  assert.deepEqual(await status('F'.repeat(64)), {
    stages: { inbound_observed: { started: false, final_count: 0, completed: false } },
  });
  const hash = deposit(btc, `=:e:${ALICE.ETH}`, { amount: 400_000_000n });
  await engine.tick();
  const waiting = await status(hash);
  assert.deepEqual(Object.keys(waiting.stages), ['inbound_observed', 'inbound_confirmation_counted']);
  assert.equal(waiting.stages['inbound_confirmation_counted']!.remaining_confirmation_seconds, 600);
  btc.tip++;
  await engine.tick();
  const delayed = await status(hash);
  assert.equal(delayed.stages['swap_status']!.pending, false);
  assert.equal(delayed.stages['outbound_delay']!.completed, false);
  assert.equal(delayed.stages['outbound_signed']!.completed, false);
  assert.deepEqual(delayed.out_txs, []);
  await engine.tick(720);
  const paid = await status(hash);
  assert.equal(paid.stages['outbound_signed']!.completed, true);
  assert.equal(paid.out_txs!.length, 1);
  assert.equal((await get('tx/status/0xabc')).status, 400);
});

test('two nodes can stand still, be busy, disagree, and answer in other forms', async () => {
  await startNodes();
  const [one, other] = nodes as [LocalThorNode, LocalThorNode];
  await one.standStill();
  books.mimir.set('HALTTRADING', 1);
  await engine.tick(20);
  const halted = async (node: LocalThorNode) =>
    ((await get('inbound_addresses', node)).body as unknown as { halted: boolean }[])[0]!.halted;
  assert.deepEqual([await halted(one), await halted(other)], [false, true]);
  const height = async (node: LocalThorNode) =>
    ((await get('block', node)).body.header as { height: number }).height;
  assert.equal((await height(other)) - (await height(one)), 20);
  one.status = 429;
  assert.equal((await get('pools', one)).status, 429);
  other.change = (path, body) => (path === 'mimir' ? { changed: body } : body);
  assert.deepEqual(Object.keys((await get('mimir', other)).body), ['changed']);
  other.down = true;
  await assert.rejects(get('pools', other));
});

test('the wallet makes offers of it and checks them, and sees every fault of one node', async () => {
  books.mimir.set('L1SLIPMINBPS', 5);
  await startNodes();
  const routers = [{ network: 'ethereum', address: ROUTER, codeHash: `0x${'0'.repeat(64)}` }];
  // Addresses of vaults here are words: only those of people are read.
  const question = {
    from: 'BTC.BTC',
    to: 'ETH.ETH',
    amount: 10_000_000n,
    recipient: ALICE.ETH,
    slippage: 5_000n,
  };
  const offers = new Offers(clients);
  const offer = await offers.offer(question);
  await checkAtTwoNodes(offer, clients, routers);
  const tokens = await offers.offer({ ...question, to: USDC });
  assert.match(tokens.memo, /^=:ETH\.USDC-06EB48:0x/);
  await checkAtTwoNodes(
    await offers.offer({ ...question, from: 'ETH.ETH', to: 'BTC.BTC', recipient: ALICE.BTC }),
    clients,
    routers,
  );

  const hash = deposit(btc, offer.memo);
  await engine.tick(2);
  assert.equal(swapOf(hash)!.outs[0]!.amount, offer.price.output);

  const reasonOf = async (): Promise<string> =>
    checkAtTwoNodes(offer, clients, routers).then(
      () => 'available',
      (error: unknown) => (error as NotAvailable).reason,
    );
  assert.equal(await reasonOf(), 'available');
  const votes = [
    ['HALTTRADING', 'halted'],
    ['HALTETHCHAIN', 'halted'],
    ['HALTSIGNINGETH', 'signing-halted'],
  ] as const;
  for (const [vote, reason] of votes) {
    books.mimir.set(vote, 1);
    assert.equal(await reasonOf(), reason);
    books.mimir.delete(vote);
  }
  await nodes[1]!.standStill();
  await engine.tick(11);
  assert.equal(await reasonOf(), 'node-behind');
  await startNodes();
});

test('the wallet makes no offer of what a quote refuses', async () => {
  await startNodes();
  const offers = new Offers(clients);
  books.mimir.set('HALTETHTRADING', 1);
  const question = {
    from: 'BTC.BTC',
    to: 'ETH.ETH',
    amount: 10_000_000n,
    recipient: ALICE.ETH,
    slippage: 5_000n,
  };
  await assert.rejects(offers.offer(question), (error: NotAvailable) => error.reason === 'halted');
});

test('each trouble of the demo does what a tester is told, and ends with the next', async () => {
  await startNodes();
  const [one, other] = nodes as [LocalThorNode, LocalThorNode];
  const offers = new Offers(clients);
  const question = {
    from: 'BTC.BTC',
    to: 'ETH.ETH',
    amount: 10_000_000n,
    recipient: ALICE.ETH,
    slippage: 5_000n,
  };
  const offer = await offers.offer(question);
  const churn = async (): Promise<void> => books.churn();
  // Its sides only have to have names.
  const running = { books, engine, sides: [btc, eth] as unknown as LocalSide[], churn };
  const thorchain = {
    nodes: [one, other],
    running: () => Promise.resolve(running),
  } as unknown as LocalThorchain;
  const outcomeOf = async (trouble: Trouble | null, chain: string): Promise<string> => {
    await makeTrouble(thorchain, { trouble, chain });
    return checkAtTwoNodes(offer, clients, []).then(
      () => 'available',
      (error: unknown) => (error as NotAvailable).reason,
    );
  };
  assert.equal(await outcomeOf('trading-halted', 'BTC'), 'halted');
  assert.equal(await outcomeOf('signing-halted', 'ETH'), 'signing-halted');
  assert.equal(await outcomeOf('nodes-differ', 'BTC'), 'nodes-differ');
  assert.equal(await outcomeOf('node-down', 'BTC'), 'nodes');
  assert.equal(await outcomeOf('refund', 'BTC'), 'available');
  const hash = deposit(btc, offer.memo);
  await engine.tick(2);
  assert.deepEqual(
    swapOf(hash)!.outs.map(({ isRefund, to }) => [isRefund, to]),
    [[true, ALICE.BTC]],
  );
  assert.equal(await outcomeOf(null, 'BTC'), 'available');
  assert.equal(await outcomeOf('new-vault', 'BTC'), 'vault');
  await assert.rejects(makeTrouble(thorchain, { trouble: null, chain: 'DOGE' }), /^Error: chain:/);
  await assert.rejects(
    makeTrouble(thorchain, { trouble: 'rain' as Trouble, chain: 'BTC' }),
    /^Error: trouble:/,
  );
});
for (const [limit, expected] of [
  ['1', 'paid'],
  ['99999999999999', 'refunded'],
] as const)
  test(`the wallet follows a swap through every stage until it is ${expected}`, async () => {
    await startNodes();
    const stages: string[] = [];
    const look = async (hash: string): Promise<Progress> => {
      const progress = await trackSwap({ hash, recipient: ALICE.ETH }, clients, async () => false);
      stages.push(progress.stage);
      return progress;
    };
    await look('0'.repeat(64));
    const hash = deposit(btc, `=:e:${ALICE.ETH}:${limit}`, { amount: 1_000_000_000n });
    await engine.tick();
    const { stage, ...counted } = (await look(hash)) as Extract<Progress, { stage: 'confirming' }>;
    assert.deepEqual({ stage, ...counted }, { stage: 'confirming', seen: 1, needed: 4, seconds: 1800 });
    btc.tip += 3;
    await look(hash);
    books.mimir.set('HALTSIGNING', 1);
    await engine.tick();
    await look(hash);
    books.mimir.delete('HALTSIGNING');
    await engine.tick(1000);
    const last = await look(hash);
    assert.deepEqual(stages, ['waiting', 'confirming', 'swapping', 'paying-out', expected]);
    assert.ok(isEnd(last));
    const [payment] = [...last.payouts, ...last.refunds];
    const [out] = swapOf(hash)!.outs;
    assert.deepEqual([payment!.amount, payment!.asset], [out!.amount, out!.asset]);
  });

test('its nodes tell the wallet why something came back, in the lists of new and old versions', async () => {
  await startNodes();
  const limit = deposit(btc, `=:e:${ALICE.ETH}:300000000`);
  await engine.tick();
  const order = deposit(btc, `=:e:${ALICE.ETH}:five`);
  const fees = deposit(ltc, `=:b:${ALICE.BTC}`, { amount: 500_000n });
  await engine.tick(2);
  books.mimir.set('HALTETHTRADING', 1);
  const halted = deposit(btc, `=:e:${ALICE.ETH}`);
  await engine.tick();
  books.mimir.delete('HALTETHTRADING');
  books.pool('ETH.ETH').status = 'Staged';
  const pool = deposit(btc, `=:e:${ALICE.ETH}`);
  await engine.tick();
  books.churn();
  books.churn();
  const vault = deposit(btc, `=:b:${ALICE.BTC}`, { vault: 1 });
  const unknown = deposit(btc, `=:b:${ALICE.BTC}`);
  await engine.tick(4);
  const all: [reason: string, hash: string][] = [
    ...Object.entries({ limit, order, halted, pool, vault }),
    ['limit', fees],
  ];
  const check = async (): Promise<void> => {
    for (const [reason, hash] of all) assert.equal((await refundOf(hash, clients))?.reason, reason);
    assert.equal((await refundOf(unknown, clients))?.reason, undefined);
  };
  await check();
  for (const node of nodes)
    node.change = (path, body) => {
      if (path !== 'block') return body;
      const { finalize_block_events: moved, ...block } = body as Record<string, unknown[]>;
      return { ...block, begin_block_events: [...block['begin_block_events']!, ...moved!] };
    };
  await check();
  // A node that stands still has no such block yet; both say so of one that is to come.
  const next = deposit(btc, `=:e:${ALICE.ETH}`);
  await nodes[0]!.standStill();
  await engine.tick(4);
  assert.equal((await refundOf(next, clients))?.reason, 'pool');
  assert.equal((await get(`block?height=${books.height + 1}`, nodes[1])).status, 500);
  assert.equal((await get(`tx/details/${'F'.repeat(64)}`)).status, 500);
});
