import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import {
  AmountError,
  decimalText,
  formatAmount,
  parseUnits,
  parseUnitsUp,
  roundAmount,
} from '../../../src/base/amount.ts';
import { parseSmallest } from '../../../src/chains/requests/smallest.ts';

const refuses = (value: unknown, message: RegExp) =>
  expect(() => parseSmallest(value), String(value)).to.throw(AmountError, message);

describe('amounts', () => {
  it('takes smallest units as number, decimal string and bigint', () => {
    expect(parseSmallest(1)).to.equal(1n);
    expect(parseSmallest('1000000000000000000')).to.equal(10n ** 18n);
    expect(parseSmallest(5n)).to.equal(5n);
    expect(parseSmallest(1e18)).to.equal(10n ** 18n);
    expect(parseSmallest(1e21)).to.equal(10n ** 21n);
    expect(parseSmallest(1.5e21)).to.equal(15n * 10n ** 20n);
    expect(parseSmallest('007')).to.equal(7n);
    expect(parseSmallest(-0)).to.equal(0n);
  });

  it('refuses a number whose text does not round-trip', () => {
    refuses(123456789012345680000, /not exact.*123456789012345683968.*string or a bigint/);
  });

  it('refuses anything that is not an amount, and says why', () => {
    refuses(Number.NaN, /NaN/);
    refuses(Number.POSITIVE_INFINITY, /finite/);
    refuses(-1, /negative/);
    refuses('-1', /negative/);
    refuses(-1n, /negative/);
    refuses('1e18', /exponent/);
    refuses(1.5, /whole number/);
    refuses('1.0', /whole number/);
    for (const text of ['', ' 1', '1 ', '+1', '1,5', '.5', '5.', '1_000', 'one', '１', '0x']) {
      refuses(text, /must be a whole number in decimal digits, for example 12$/);
      expect(() => parseUnits(text, 18)).to.throw(AmountError, /must be a decimal number with a point/);
    }
    refuses('0x10', /in decimal digits, not as hex: 16$/);
    refuses(undefined, /required/);
    for (const value of [null, {}, [1], true]) refuses(value, /must be a number/);
    refuses('9'.repeat(400), /too long/);
  });

  it('scales a decimal value by its text, never through a float', () => {
    expect(parseUnits(0.1, 18)).to.equal(100000000000000000n);
    expect(parseUnits(1.1, 18)).to.equal(1100000000000000000n);
    expect(parseUnits(1e-7, 18)).to.equal(100000000000n);
    expect(parseUnits('1.5', 18)).to.equal(1500000000000000000n);
    expect(parseUnits(2n, 6)).to.equal(2000000n);
    expect(() => parseUnits('0.1234567', 6)).to.throw(AmountError, /at most 6 digits.*has 7/);
    expect(() => parseUnits(0.5, 0)).to.throw(AmountError, /whole number/);
  });

  it('counts no zeros at the end of a fraction as digits', () => {
    expect(parseUnits('10.00000000', 6)).to.equal(10_000_000n);
    expect(parseUnits('1.50', 1)).to.equal(15n);
    expect(parseUnits('7.000', 0)).to.equal(7n);
    expect(decimalText('0.0500')).to.equal('0.05');
    expect(decimalText('100')).to.equal('100');
    expect(() => parseUnits('0.10000001', 6)).to.throw(AmountError, /at most 6 digits.*has 8/);
    for (const text of ['1.', '.0', '1.0.0']) refuses(text, /decimal/);
  });

  it('rounds up what has too many digits where that is asked for', () => {
    expect(parseUnitsUp(1.1 * 1.1, 3)).to.equal(1211n);
    expect(parseUnitsUp('2500.0001', 0)).to.equal(2501n);
    expect(parseUnitsUp('12.250', 3)).to.equal(12_250n);
    expect(parseUnitsUp('12.25000', 3)).to.equal(12_250n);
    expect(parseUnitsUp(5n, 3)).to.equal(5000n);
  });

  it('keeps every digit: text → units → text', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 256n) - 1n), fc.integer({ min: 0, max: 77 }), (raw, decimals) => {
        expect(parseUnits(formatAmount(raw, decimals), decimals)).to.equal(raw);
      }),
    );
  });

  it('takes exactly the numbers whose shortest text is the number itself', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e30, noNaN: true }).map(Math.floor), (n) => {
        const text = decimalText(n);
        if (BigInt(text) === BigInt(n)) expect(parseSmallest(n)).to.equal(BigInt(n));
        else expect(() => parseSmallest(n)).to.throw(AmountError);
        if (Number.isSafeInteger(n)) expect(BigInt(text)).to.equal(BigInt(n));
      }),
    );
  });

  it('scales every number exactly as its decimal text says', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (n) => {
        const text = decimalText(n);
        expect(Number(text)).to.equal(Object.is(n, -0) ? 0 : n);
        expect(text).to.match(/^\d+(\.\d+)?$/);
        expect(parseUnits(n, 340)).to.equal(parseUnits(text, 340));
      }),
    );
  });

  it('returns a whole amount or refuses, for any value at all', () => {
    fc.assert(
      fc.property(fc.anything(), fc.integer({ min: 0, max: 30 }), (value, decimals) => {
        try {
          expect(parseUnits(value, decimals) >= 0n).to.equal(true);
        } catch (error) {
          expect(error).to.be.instanceOf(AmountError);
        }
      }),
    );
  });

  it('rounds balances down and fees up, and never to nothing', () => {
    expect(roundAmount(1234567890000000000n, 18, 'down')).to.equal('1.234567');
    expect(roundAmount(1234567890000000000n, 18, 'up')).to.equal('1.234568');
    expect(roundAmount(1234567890000000000n, 18, 'down', 2)).to.equal('1.23');
    expect(roundAmount(1n, 18, 'down')).to.equal('0.000000000000000001');
    expect(roundAmount(123456789n, 18, 'up')).to.equal('0.000000000124');
    expect(roundAmount(0n, 18, 'up')).to.equal('0');
    expect(roundAmount(5n, 0, 'up')).to.equal('5');
    expect(roundAmount(-1234567890000000000n, 18, 'down')).to.equal('-1.234568');
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 30 }), (raw, decimals) => {
        expect(parseUnits(roundAmount(raw, decimals, 'down'), decimals) <= raw).to.equal(true);
        expect(parseUnits(roundAmount(raw, decimals, 'up'), decimals) >= raw).to.equal(true);
      }),
    );
  });
});
