import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { RequestInvalidError } from '../../../src/base/errors.ts';
import { less, more, percentOf, ppmOf, readSlippage } from '../../../src/swaps/percent.ts';

describe('percentages', () => {
  it('are exact parts per million', () => {
    expect(ppmOf(0.3)).to.equal(3000n);
    expect(ppmOf(0.01)).to.equal(100n);
    expect(readSlippage('0.5')).to.equal(5000n);
    expect(readSlippage(undefined)).to.equal(5000n);
    expect(readSlippage(0)).to.equal(0n);
    expect(percentOf(1n, 3n)).to.equal(33.3333);
    expect(percentOf(-1n, 3n)).to.equal(0);
  });

  it('name slippage if it is invalid', () => {
    for (const bad of [51, '50.0001', -1, '0.00001', 'x', Number.NaN]) {
      let path = '';
      try {
        readSlippage(bad);
      } catch (error) {
        path = (error as RequestInvalidError).issues[0]!.path;
      }
      expect(path, String(bad)).to.equal('slippage');
    }
  });

  it('never round in favour of the exchange', () => {
    const amount = fc.bigInt({ min: 1n, max: 1n << 200n });
    const ppm = fc.bigInt({ min: 0n, max: 500_000n });
    fc.assert(
      fc.property(amount, ppm, (value, part) => {
        const [low, high] = [less(value, part), more(value, part)];
        const exactLow = value * (1_000_000n - part);
        const exactHigh = value * (1_000_000n + part);
        return (
          low * 1_000_000n <= exactLow &&
          (low + 1n) * 1_000_000n > exactLow &&
          high * 1_000_000n >= exactHigh &&
          (high - 1n) * 1_000_000n < exactHigh
        );
      }),
    );
  });
});
