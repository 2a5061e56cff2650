/**
 * Amounts are exact: what the user approves is, to the last digit, what the site asked for.
 * No dependencies, because host pages use this too.
 *
 * ```ts
 * parseUnits('1.5', 18)          // 1500000000000000000n
 * formatAmount(1500000n, 6)      // '1.5'
 * roundAmount(1234567n, 6, 'up') // '1.234567'
 * ```
 */

/** The longest text an amount may have: 78 digits of a uint256, a point, and 255 decimals. */
const MAX_TEXT = 340;

/**
 * A non-negative amount as decimal text without exponent, sign, leading zeros, or zeros at the end of its fraction.
 * Throws `AmountError` for anything else.
 */
export function decimalText(value: unknown): string {
  return textOf(value, 'a decimal number with a point, without spaces, sign or 0x', '0.25');
}

/** `form` is what text must be. */
export function textOf(value: unknown, form: string, example: string): string {
  switch (typeof value) {
    case 'bigint':
      if (value < 0n) throw new AmountError('must not be negative');
      return bounded(value.toString());
    case 'number':
      if (Number.isNaN(value)) throw new AmountError('must be a number, not NaN');
      if (!Number.isFinite(value)) throw new AmountError('must be finite');
      if (value < 0) throw new AmountError('must not be negative');
      return expand(String(value));
    case 'string': {
      if (value.startsWith('-')) throw new AmountError('must not be negative');
      if (/^\d+(\.\d+)?[eE]/.test(value))
        throw new AmountError(`must be written without an exponent, for example ${example}`);
      const parts = /^0*(\d+)(?:(\.\d*[1-9])0*|\.0+)?$/.exec(bounded(value));
      if (!parts) throw new AmountError(`must be ${form}, for example ${example}`);
      return `${parts[1]}${parts[2] ?? ''}`;
    }
    case 'undefined':
      throw new AmountError('is required');
    default:
      throw new AmountError('must be a number, a decimal string or a bigint');
  }
}

/** A decimal coin or token value in smallest units: `parseUnits('0.5', 8)` is `50000000n`. */
export function parseUnits(value: unknown, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimalText(value).split('.');
  if (fraction.length > decimals)
    throw new AmountError(
      decimals === 0
        ? 'must be a whole number'
        : `must have at most ${decimals} digits after the point, has ${fraction.length}`,
    );
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** As `parseUnits`, but rounds excess digits up: for fee rates, which are often computed as floats. */
export function parseUnitsUp(value: unknown, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimalText(value).split('.');
  const rest = fraction.slice(decimals);
  return parseUnits(`${whole}.${fraction.slice(0, decimals)}0`, decimals) + (/[1-9]/.test(rest) ? 1n : 0n);
}

/** Every digit, no trailing zeros: `formatAmount(1500000n, 6)` is `1.5`. */
export function formatAmount(raw: bigint, decimals: number): string {
  const sign = raw < 0n ? '-' : '';
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return `${sign}${whole}${decimals > 0 && fraction ? `.${fraction}` : ''}`;
}

/**
 * For display where space is short: at most `places` digits after the point, or three significant ones
 * when the amount is smaller than that shows. Balances round `down`, fees `up`.
 */
export function roundAmount(raw: bigint, decimals: number, direction: 'down' | 'up', places = 6): string {
  if (raw < 0n) return `-${roundAmount(-raw, decimals, direction === 'up' ? 'down' : 'up', places)}`;
  const significant = raw.toString().length - 3;
  let drop = Math.max(0, decimals - places);
  if (raw < 10n ** BigInt(drop)) drop = Math.max(0, significant);
  const unit = 10n ** BigInt(drop);
  const rest = raw % unit;
  return formatAmount(raw - rest + (direction === 'up' && rest > 0n ? unit : 0n), decimals);
}

/** For arithmetic nobody signs (charts, sorting, the API's `balance` field): rounded to what a number holds. */
export function toNumber(raw: bigint, decimals: number): number {
  return Number(formatAmount(raw, decimals));
}

/** The shortest text of a number without its exponent: `1e-7` becomes `0.0000001`. */
function expand(text: string): string {
  const parts = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!parts) return text;
  const digits = parts[1]! + (parts[2] ?? '');
  const exponent = Number(parts[3]);
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  return digits.padEnd(exponent + 1, '0');
}

function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw new AmountError('is too long');
  return text;
}

/** What is wrong with an amount, worded to follow the field's name. */
export class AmountError extends Error {
  override name = 'AmountError';
}
