import { expect } from '@open-wc/testing';
import {
  fromThor,
  NotAvailable,
  type Pool,
  toThor,
} from '../../../../src/swaps/cross-chain/thorchain/assets.ts';
import {
  agreedPrice,
  feeIn,
  limitOf,
  type Price,
  priceOf,
  swapOnce,
  type Terms,
} from '../../../../src/swaps/cross-chain/thorchain/pricing.ts';
import vectors from '../../../vectors/thorchain.vectors.json';

const pool = (asset: string, assetDepth: bigint, runeDepth: bigint, decimals = 8): Pool => ({
  asset,
  isOpen: true,
  decimals,
  assetDepth,
  runeDepth,
});

const USDC = 'ETH.USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48';
const TERMS: Terms = {
  pools: [
    pool('BTC.BTC', 81_439_552_768n, 863_897_777_396_922n),
    pool('ETH.ETH', 2_500_000_000_000n, 800_000_000_000_000n),
    pool(USDC, 500_000_000_000_000n, 50_000_000_000_000n, 6),
  ],
  minSlip: 5n,
  outboundFee: 40_000n,
};

const reasonOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof NotAvailable) return error.reason;
    throw error;
  }
  return 'available';
};

describe('one swap at THORChain', () => {
  it('gives what its nodes give', () => {
    for (const { name, x, X, Y, minSlip, output, fee, slip } of vectors.swaps) {
      const swap = swapOnce(BigInt(x), BigInt(X), BigInt(Y), BigInt(minSlip));
      expect(`${swap.output}`, name).to.equal(output);
      if (fee) expect(`${swap.fee}`, name).to.equal(fee);
      if (slip) expect(`${swap.slip}`, name).to.equal(slip);
    }
  });

  it('prices two swaps and the payout as its regressions do', () => {
    const { doubleSwap, refund, payouts, outboundFee } = vectors.regressions;
    const poolsOf = ({ pools }: Pick<typeof refund, 'pools'>): Pool[] =>
      pools.map(({ asset, assetDepth, runeDepth }) => pool(asset, BigInt(assetDepth), BigInt(runeDepth)));
    const terms = { minSlip: 0n, outboundFee: BigInt(outboundFee) };
    const sent = { from: refund.from, to: refund.to, amount: BigInt(refund.amount) };
    expect(`${priceOf({ ...terms, pools: poolsOf(refund) }, sent).gross}`).to.equal(refund.gross);
    const { from, to, amount, minSlip, slip } = doubleSwap;
    const least = { ...terms, minSlip: BigInt(minSlip), pools: poolsOf(doubleSwap) };
    const price = priceOf(least, { from, to, amount: BigInt(amount) });
    // A quote rounds it in another way.
    expect(Number(slip) - Number(price.slip)).to.be.within(0, 1);
    for (const { swap, output } of payouts) {
      const { x, X, Y, minSlip: floor } = vectors.swaps.find(({ name }) => name === swap)!;
      const gross = swapOnce(BigInt(x), BigInt(X), BigInt(Y), BigInt(floor)).output;
      expect(`${gross - BigInt(outboundFee)}`, swap).to.equal(output);
    }
  });

  it('rounds the slip to the even of two as near, which decides about the least', () => {
    // 2.5 bps.
    expect(swapOnce(1n, 3999n, 4000n, 0n).slip).to.equal(2n);
    expect(swapOnce(3n, 7997n, 8000n, 0n).slip).to.equal(4n);
  });
});

/** A fraction, reduced to nothing but what the test needs: the code under test multiplies before it divides. */
class Rational {
  constructor(
    readonly top: bigint,
    readonly bottom: bigint = 1n,
  ) {}
  times({ top, bottom }: Rational): Rational {
    return new Rational(this.top * top, this.bottom * bottom);
  }
  over({ top, bottom }: Rational): Rational {
    return new Rational(this.top * bottom, this.bottom * top);
  }
  minus({ top, bottom }: Rational): Rational {
    return new Rational(this.top * bottom - top * this.bottom, this.bottom * bottom);
  }
  floor(unit = 1n): Rational {
    const whole = this.top / (this.bottom * unit);
    return new Rational(whole * unit);
  }
  /** Half to even. */
  round(): Rational {
    const { top: low } = this.floor();
    const rest = this.minus(new Rational(low)).times(new Rational(2n));
    const isUp = rest.top > rest.bottom || (rest.top === rest.bottom && low % 2n !== 0n);
    return new Rational(low + (isUp ? 1n : 0n));
  }
  get isNegative(): boolean {
    return this.top < 0n;
  }
}

/** The output by shares of the pool: what x is of the pool's future depth, and what is left of it after the slip. */
function independently(x: Rational, near: Rational, far: Rational, least: bigint, unit: bigint): Rational {
  const share = x.over(new Rational(x.top + near.top));
  const slip = share.times(new Rational(10_000n)).round();
  if (slip.top < least) {
    const fee = far.times(share).times(new Rational(least, 10_000n)).floor();
    const left = far.times(share).floor().minus(fee);
    return left.isNegative ? new Rational(0n) : left.floor(unit);
  }
  return far.times(share).times(new Rational(1n).minus(share)).floor(unit);
}

/** Numbers that are the same in every run: a linear congruence of 64 bits. */
function randomNumbers(seed: bigint): (from: number, to: number) => bigint {
  let state = seed;
  return (from, to) => {
    const digits = (): bigint => {
      state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
      return state >> 8n;
    };
    const length = BigInt(from) + (digits() % BigInt(to - from + 1));
    const low = 10n ** (length - 1n);
    return low + ((digits() * digits()) % (9n * low));
  };
}

describe('a swap between chains', () => {
  it('gives what an independent calculation with fractions gives, in 2,000 pools', () => {
    const digits = randomNumbers(37n);
    let compared = 0;
    for (let i = 0; i < 2000; i++) {
      const decimals = [8, 6, 7, 8][i % 4]!;
      const unit = 10n ** BigInt(8 - decimals);
      const pools = [
        pool('BTC.BTC', digits(8, 16), digits(8, 17)),
        pool('ETH.ETH', digits(8, 16), digits(8, 17), decimals),
      ];
      const minSlip = digits(1, 3) - 1n;
      const amount = digits(1, 15);
      const outboundFee = digits(1, 6);
      const [near, far] = pools as [Pool, Pool];
      const rune = independently(
        new Rational(amount),
        new Rational(near.assetDepth),
        new Rational(near.runeDepth),
        minSlip,
        1n,
      );
      const gross = independently(
        rune,
        new Rational(far.runeDepth),
        new Rational(far.assetDepth),
        minSlip,
        unit,
      );
      const output = gross.minus(new Rational(outboundFee)).floor(unit);
      let price: Price;
      try {
        price = priceOf({ pools, minSlip, outboundFee }, { from: 'BTC.BTC', to: 'ETH.ETH', amount });
      } catch (error) {
        expect((error as NotAvailable).reason).to.equal('fees-exceed-output');
        expect(output.isNegative || output.top === 0n).to.equal(true);
        continue;
      }
      compared++;
      expect(price.gross).to.equal(gross.top);
      expect(price.output).to.equal(output.top);
    }
    expect(compared).to.be.greaterThan(1200);
  });

  it('costs the fee of the destination, which a token pays in itself, after both pools have moved', () => {
    const btc = priceOf(TERMS, { from: 'BTC.BTC', to: 'ETH.ETH', amount: 1_000_000_000n });
    expect(btc.outboundFee).to.equal(40_000n);
    expect(btc.output).to.equal(btc.gross - 40_000n);
    const usdc = priceOf(TERMS, { from: 'ETH.ETH', to: USDC, amount: 100_000_000_000n });
    expect(usdc.output % 100n).to.equal(0n);
    expect(usdc.outboundFee < feeIn(USDC, 40_000n, TERMS.pools)).to.equal(true);
    expect(feeIn(USDC, 40_000n, TERMS.pools)).to.equal(128_000_000n);
  });

  it('is not available without open pools, for the same asset, or if fees take all of it', () => {
    const swap = (from: string, to: string, amount = 1_000_000n, terms = TERMS) =>
      reasonOf(() => priceOf(terms, { from, to, amount }));
    expect(swap('BTC.BTC', 'ETH.ETH')).to.equal('available');
    expect(swap('BTC.BTC', 'DOGE.DOGE')).to.equal('pool');
    expect(swap('BTC.BTC', 'BTC.BTC')).to.equal('pool');
    expect(swap('BTC.BTC', 'ETH.ETH', 1n)).to.equal('fees-exceed-output');
    const shut = {
      ...TERMS,
      pools: TERMS.pools.map((each) => ({ ...each, isOpen: each.asset !== 'ETH.ETH' })),
    };
    expect(swap('BTC.BTC', 'ETH.ETH', 1_000_000n, shut)).to.equal('pool');
  });
});

describe('what a node promises', () => {
  const btc = priceOf(TERMS, { from: 'BTC.BTC', to: 'ETH.ETH', amount: 1_000_000_000n });
  const usdc = priceOf(TERMS, { from: 'BTC.BTC', to: USDC, amount: 100_000_000n });
  const agreed = (price: Price, output: bigint, outboundFee = price.outboundFee, isCoin = true) =>
    reasonOf(() => agreedPrice(price, { output, outboundFee }, isCoin));

  it('may differ by rounding and 0.1 %, in either direction', () => {
    const most = btc.output / 1000n + btc.rounding;
    expect(agreed(btc, btc.output)).to.equal('available');
    for (const sign of [1n, -1n]) {
      expect(agreed(btc, btc.output + sign * most)).to.equal('available');
      expect(agreed(btc, btc.output + sign * (most + 1n))).to.equal('price-differs');
    }
  });

  it('may have another fee for paying out a token, between half and double that of the coin', () => {
    const fee = usdc.outboundFee;
    for (const other of [fee / 2n, fee * 2n]) {
      expect(agreed(usdc, usdc.gross - other, other, false)).to.equal('available');
      expect(agreedPrice(usdc, { output: usdc.gross - other, outboundFee: other }, false).output).to.equal(
        usdc.gross - other,
      );
    }
    expect(agreed(btc, btc.gross - 40_000_000n, 40_000_000n)).to.equal('price-differs');
    const all = usdc.gross - 1000n;
    expect(agreed(usdc, usdc.gross - all, all, false)).to.equal('price-differs');
  });
});

describe('the limit', () => {
  it('is the output less the slippage, rounded down, and never 0', () => {
    expect(limitOf({ output: 1_000_001n }, 5_000n)).to.equal(995_000n);
    expect(limitOf({ output: 1_000_001n }, 0n)).to.equal(1_000_001n);
    expect(reasonOf(() => limitOf({ output: 1n }, 5_000n))).to.equal('below-minimum');
  });
});

describe('amounts at THORChain', () => {
  it('have 8 decimals: smaller parts are lost, and larger units filled', () => {
    expect(toThor(1_234_567_890_123_456_789n, 18)).to.equal(123_456_789n);
    expect(fromThor(123_456_789n, 18)).to.equal(1_234_567_890_000_000_000n);
    expect(toThor(1_500_000n, 6)).to.equal(150_000_000n);
    expect(fromThor(150_000_099n, 6)).to.equal(1_500_000n);
    expect(toThor(1n, 8)).to.equal(1n);
  });
});
