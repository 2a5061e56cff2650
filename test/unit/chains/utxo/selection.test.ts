import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import type { Utxo } from '../../../../src/chains/utxo/draft.ts';
import { maxPayment, type Payment, select, sum } from '../../../../src/chains/utxo/selection.ts';
import { dustLimit, feeFor, virtualSize } from '../../../../src/chains/utxo/script.ts';

const OWN = `0x0014${'11'.repeat(20)}`;
const OTHER = `0x5120${'22'.repeat(32)}`;

function coinsOf(...values: (number | bigint)[]): Utxo[] {
  return values.map((value, i) => ({
    txid: i.toString(16).padStart(64, '0'),
    vout: 0,
    value: BigInt(value),
    script: OWN,
  }));
}

const paying = (value: number | bigint, rate = 10_000n): Payment => ({
  value: BigInt(value),
  scripts: [OTHER],
  own: OWN,
  rate,
});
const chosen = (coins: Utxo[], payment: Payment) =>
  select(BITCOIN, coins, payment)
    ?.inputs.map(({ value }) => value)
    .join();

describe('Coin selection', () => {
  it('takes the smallest coin that is enough', () => {
    expect(chosen(coinsOf(1_000_000, 200_000, 90_000, 50_000), paying(60_000))).to.equal('90000');
  });

  it('takes the fewest coins when one is not enough', () => {
    expect(chosen(coinsOf(40_000, 30_000, 20_000, 10_000), paying(55_000))).to.equal('40000,30000');
  });

  it('finds coins that need no change', () => {
    const size = virtualSize([OWN, OWN], [OTHER]);
    const exact = 50_000n + 20_000n - feeFor(size, 10_000n);
    const selection = select(BITCOIN, coinsOf(90_000, 50_000, 30_000, 20_000), paying(exact))!;
    expect(selection.inputs.map(({ value }) => value).join()).to.equal('50000,20000');
    expect(selection.change).to.equal(0n);
    expect(selection.fee).to.equal(feeFor(size, 10_000n));
  });

  it('leaves out coins that cost more than they are worth', () => {
    expect(chosen(coinsOf(100_000, 600), paying(99_000))).to.equal(undefined);
    expect(chosen(coinsOf(600, 500, 400), paying(330))).to.equal(undefined);
  });

  it('gives change that would be dust to the fee', () => {
    const size = virtualSize([OWN], [OTHER]);
    const value = 100_000n - feeFor(size, 10_000n) - 500n;
    const selection = select(BITCOIN, coinsOf(100_000), paying(value))!;
    expect(selection.change).to.equal(0n);
    expect(selection.fee).to.equal(feeFor(size, 10_000n) + 500n);
  });

  it('keeps change of exactly the dust limit, and not a satoshi less', () => {
    const fee = feeFor(virtualSize([OWN], [OTHER, OWN]), 10_000n);
    const least = dustLimit(BITCOIN, OWN);
    const change = (left: bigint) => select(BITCOIN, coinsOf(100_000), paying(100_000n - fee - left))!.change;
    expect(change(least)).to.equal(least);
    expect(change(least - 1n)).to.equal(0n);
  });

  it('spends at most a hundred coins together', () => {
    const coins = coinsOf(...Array.from({ length: 150 }, () => 10_000));
    expect(select(BITCOIN, coins, paying(500_000))!.inputs.length).to.be.at.most(100);
    expect(chosen(coins, paying(1_200_000))).to.equal(undefined);
  });

  it('never pays less than the rate, makes no dust, and needs every input, whatever the coins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 7n }), { minLength: 1, maxLength: 12 }),
        fc.bigInt({ min: 330n, max: 3n * 10n ** 7n }),
        fc.bigInt({ min: 1_000n, max: 100_000n }),
        fc.integer({ min: 0, max: 11 }),
        (values, value, rate, turn) => {
          const coins = coinsOf(...values);
          const payment = paying(value, rate);
          const selection = select(BITCOIN, coins, payment);
          const { value: limit } = maxPayment(coins, [OTHER], rate);
          // Whatever can be paid is paid.
          expect(selection !== undefined).to.equal(value <= limit);
          if (!selection) return;
          const { inputs, change, fee, size } = selection;
          expect(sum(inputs) === value + change + fee).to.equal(true);
          expect(fee >= feeFor(size, rate)).to.equal(true);
          const scripts = inputs.map(({ script }) => script);
          expect(size).to.equal(virtualSize(scripts, change > 0n ? [OTHER, OWN] : [OTHER]));
          if (change > 0n) expect(change >= dustLimit(BITCOIN, OWN)).to.equal(true);
          // The surplus is less than change would cost and be worth.
          else
            expect(fee - feeFor(size, rate) < feeFor(32, rate) + dustLimit(BITCOIN, OWN) + 2n).to.equal(true);
          // Without its smallest input it is not enough.
          const least = inputs.reduce((a, b) => (a.value < b.value ? a : b)).value;
          const fewer = virtualSize(scripts.slice(1), [OTHER]);
          if (inputs.length > 1)
            expect(
              sum(inputs) - least < value + feeFor(fewer, rate) + feeFor(32, rate) + dustLimit(BITCOIN, OWN),
            ).to.equal(true);
          // The order in which a node lists coins does not matter.
          const turned = [...coins.slice(turn), ...coins.slice(0, turn)].reverse();
          expect(
            select(BITCOIN, turned, payment)!
              .inputs.map(({ txid }) => txid)
              .join(),
          ).to.equal(inputs.map(({ txid }) => txid).join());
        },
      ),
      { numRuns: 500 },
    );
  });
});
