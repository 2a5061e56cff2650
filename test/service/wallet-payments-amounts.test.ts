/** What a session costs in smallest units, and the unique amounts that identify payments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { confirmationsFor, confirmationsOf } from '../../service/checkout/wallet-payments/confirmations.ts';
import { amountsFor, isEnough } from '../../service/checkout/wallet-payments/quote-amounts.ts';
import { tokensFor } from '../../service/prices/token-prices.ts';

test('a total converts exactly to the token of its currency', () => {
  assert.equal(tokensFor(2999n, 'USD', 6), 29_990_000n);
  assert.equal(tokensFor(2999n, 'USD', 18), 29_990_000_000_000_000_000n);
  assert.equal(tokensFor(2999n, 'JPY', 6), 2_999_000_000n);
  assert.equal(tokensFor(2999n, 'KWD', 6), 2_999_000n);
  assert.equal(tokensFor(2999n, 'USD', 2), 2999n);
  // Fractions beyond the token's decimals are rounded up.
  assert.equal(tokensFor(2999n, 'USD', 0), 30n);
  assert.equal(tokensFor(1n, 'KWD', 2), 1n);
});

test('amounts are never below the price, and at most a minor unit or a thousandth above it', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      fc.bigInt({ min: 1n, max: 999_999_999_999n }),
      (price, minorUnits) => {
        const { first, step, count } = amountsFor(price, minorUnits);
        const last = first + (count - 1n) * step;
        const most = [1n, price / minorUnits, price / 1000n].reduce((a, b) => (a > b ? a : b));
        assert.ok(count >= 1n && step >= 1n);
        assert.ok(first >= price);
        assert.ok(last - price <= most, `${last - price} of ${most}`);
      },
    ),
  );
});

test('if the token has enough decimals, there are tens of thousands of short amounts', () => {
  for (const [price, minorUnits] of [
    [29_990_000n, 2999n],
    [15_000_000_000_000_000n, 2999n],
    [29_990_000_000_000_000_000n, 2999n],
    [10n ** 16n, 1n],
  ] as const) {
    const { count } = amountsFor(price, minorUnits);
    assert.ok(count >= 10_000n && count <= 1_100_000n, String(count));
  }
  // A valuable token with 8 decimals: limited to a thousandth of the price.
  assert.equal(amountsFor(500_000n, 29_990n).count, 500n);
});

test('what is enough for a price, to the smallest unit', () => {
  for (const [amount, tolerance, least] of [
    ['25000123', 0, 25_000_123n],
    ['25000123', 50, 24_875_123n],
    ['25000123', 500, 23_750_117n],
    ['1', 500, 1n],
  ] as const) {
    assert.equal(isEnough({ amount, tolerance }, least), true, amount);
    assert.equal(isEnough({ amount, tolerance }, least - 1n), false, amount);
  }
});

test('totals above an amount need more confirmations, by whole units of the currency', () => {
  const above = [
    { amount: 1000, confirmations: 4 },
    { amount: 100, confirmations: 2 },
  ];
  const needed = (total: number, currency: string, confirmations = 1): number =>
    confirmationsFor({ confirmations, confirmations_above: above } as never, {
      amount_total: String(total),
      currency,
    });
  assert.deepEqual(
    [10_000, 10_001, 100_000, 100_001].map((total) => needed(total, 'EUR')),
    [1, 2, 2, 4],
  );
  assert.deepEqual([needed(100, 'JPY'), needed(101, 'JPY')], [1, 2]);
  assert.deepEqual([needed(100_000, 'KWD'), needed(100_001, 'KWD')], [1, 2]);
  // Never fewer than any total needs.
  assert.equal(needed(10_001, 'EUR', 3), 3);
});

test('a mainnet’s confirmations grow with the total, unless the shop sets them', () => {
  const [mainnet, testnet] = (['mainnet', 'testnet'] as const).map((kind) => ({ kind }) as never);
  const of = (network: never, body: Parameters<typeof confirmationsOf>[1]) => {
    const { confirmations, confirmations_above } = confirmationsOf(network, body);
    return [confirmations, confirmations_above.length];
  };
  assert.deepEqual(of(mainnet!, { secretType: 'BITCOIN' }), [1, 3]);
  assert.deepEqual(of(mainnet!, { secretType: 'LITECOIN' }), [3, 2]);
  assert.deepEqual(of(mainnet!, { secretType: 'ETHEREUM' }), [12, 0]);
  assert.deepEqual(of(mainnet!, { secretType: 'BITCOIN', confirmations: 2 }), [2, 0]);
  assert.deepEqual(of(testnet!, { secretType: 'BITCOIN' }), [1, 0]);
  const confirmationsAbove = [{ amount: 5, confirmations: 9 }];
  assert.deepEqual(of(testnet!, { secretType: 'TRON', confirmationsAbove }), [1, 1]);
});
