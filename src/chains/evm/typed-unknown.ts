/** Forms that no descriptor puts into words (`typed-shapes.ts`): whether they could move anything. */
import { chainOfAddress } from '../foreign-address.ts';
import type { TypedField } from '../approval/signing.ts';
import { contractOf } from './typed-data.ts';
import { type Case, caution, danger, type Reading } from './typed-form.ts';

/** A smaller integer is a number of things, a flag, or a time in seconds. */
const LARGE = 1n << 32n;
/** Bytes of a function's selector: an address, or an amount that matters, has no room in them. */
const SHORT = 4;

/** A danger unless it names nobody and no amount, whatever its fields are called: a contract can take any form for an order or a permission. */
export function readUnknown({ data, from }: Case): Reading {
  const harmless = [from, contractOf(data) ?? from].map((address) => address.toLowerCase());
  const couldMove = ({ type, value }: TypedField): boolean => {
    if (Array.isArray(value)) return value.some(couldMove);
    if (typeof value === 'boolean') return false;
    if (typeof value === 'bigint') return isLarge(value);
    if (type === 'string') return textCouldMove(value, harmless);
    if (type === 'address') return !harmless.includes(value.toLowerCase());
    return (value.length - 2) / 2 > SHORT;
  };
  const warn = data.message.some(couldMove) ? danger : caution;
  return { terms: [], warnings: [warn('unknown-form')] };
}

function isLarge(integer: bigint): boolean {
  return integer >= LARGE || integer <= -LARGE;
}

/** Exchanges that keep their own books take addresses and amounts as text. */
function textCouldMove(text: string, harmless: readonly string[]): boolean {
  if (/^\d+$/.test(text)) return isLarge(BigInt(text));
  const words = text.split(/[^\p{L}\p{N}_]+/u);
  return words.some((word) =>
    /^0x[0-9a-f]{40,}$/i.test(word)
      ? !harmless.includes(word.toLowerCase())
      : chainOfAddress(word) !== undefined,
  );
}
