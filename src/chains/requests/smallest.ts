/** Amounts in smallest units, and counts. Apart from other amounts, because only requests have them. */
import { AmountError, parseUnits, textOf } from '../../base/amount.ts';

/** The name of a smallest unit, such as `wei`, and its coin. */
export interface SmallestUnit {
  name: string;
  coin?: { symbol: string; decimals: number } | undefined;
}

/**
 * An amount already in smallest units, or a count. A JS number passes only if it is exactly what its shortest
 * decimal text says, so that 1e21 passes and 123456789012345680000 (internally …683968) does not.
 */
export function parseSmallest(value: unknown, unit?: SmallestUnit): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value))
    throw new AmountError(`must be written in decimal digits, not as hex: ${BigInt(value)}`);
  const text = textOf(value, 'a whole number in decimal digits', '12');
  // `1.0` too: whoever writes a decimal point means coins.
  const written = typeof value === 'string' ? value : text;
  if (written.includes('.'))
    throw new AmountError(`must be a whole number${unit ? inUnits(written, unit) : ''}`);
  const raw = BigInt(text);
  if (typeof value === 'number' && BigInt(value) !== raw)
    throw new AmountError(
      `is not exact as a JavaScript number: it is ${BigInt(value)} inside. Pass a string or a bigint`,
    );
  return raw;
}

/** ` of wei: 0.1 ETH is 100000000000000000` */
function inUnits(text: string, { name, coin }: SmallestUnit): string {
  if (!coin || text.split('.')[1]!.length > coin.decimals) return ` of ${name}`;
  return ` of ${name}: ${text} ${coin.symbol} is ${parseUnits(text, coin.decimals)}`;
}
