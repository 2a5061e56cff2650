/** Forms that no descriptor puts into words (`typed-shapes.ts`): whether they could move anything. */
import { chainOfAddress } from '../requests/foreign-address.ts';
import type { TypedField } from '../approval/signing.ts';
import { contractOf } from './typed-data.ts';
import { type Case, caution, danger, type Reading } from './typed-form.ts';

/** A smaller integer is a number of things, a flag, or a time in seconds. */
const LARGE = 1n << 32n;
/** Bytes of a function's selector: an address, or an amount that matters, has no room in them. */
const SHORT = 4;
/** Bits of an address, which can be cut into small numbers. */
const ADDRESS = 160;

/**
 * A danger unless it names nobody and no amount, and all that is small in it together has no room for an address, whatever its fields are
 * called: a contract can take any form for an order or a permission.
 */
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
  const isHarmless = !data.message.some(couldMove) && roomIn(data.message) < ADDRESS;
  return { terms: [], warnings: [(isHarmless ? caution : danger)('unknown-form')] };
}

/** In bits, as none of the fields is large. */
function roomIn(fields: readonly TypedField[]): number {
  return fields.reduce((sum, { type, value }) => {
    if (Array.isArray(value)) return sum + roomIn(value);
    if (typeof value === 'boolean') return sum + 1;
    if (typeof value === 'bigint') return sum + 32;
    if (type === 'address') return sum;
    const digits = type === 'string' ? lettersOf(value) : value;
    return sum + (/^(0x)?[0-9a-f]*$/i.test(digits) ? digits.replace(/^0x/i, '').length * 4 : 0);
  }, 0);
}

function isLarge(integer: bigint): boolean {
  return integer >= LARGE || integer <= -LARGE;
}

/** A date or time of ISO 8601, in the years that people mean. */
const TIME =
  /\b(?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:\d\d)?)?/g;
/** Hex digits in a row that are no word, year or short number; after `0x`, a number that is large. */
const HEX = /[0-9a-f]{20,}|0x[1-9a-f][0-9a-f]{8,}/;
/** `5e12`, not as a part of a word. Bounded, so that a long text takes no longer than its length. */
const SCIENTIFIC = /(?<![\p{L}\p{N}])\d[\d.,]{0,40}e\+?\d+(?![\p{L}\p{N}])/u;

/** Exchanges that keep their own books take addresses and amounts as text, and people read through whatever is put between the digits. */
function textCouldMove(text: string, harmless: readonly string[]): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  if (SCIENTIFIC.test(plain)) return true;
  if (text.split(/[^\p{L}\p{N}]+/u).some((word) => isForeign(word, harmless))) return true;
  const letters = harmless.reduce(
    (rest, address) => rest.replaceAll(address.slice(2), ''),
    lettersOf(plain.replace(TIME, '')),
  );
  const numbers = letters.match(/\p{Nd}{10,}/gu) ?? [];
  return (
    HEX.test(letters) ||
    // Digits of other scripts are not counted further.
    numbers.some((digits) => !/^\d+$/.test(digits) || isLarge(BigInt(digits)))
  );
}

function isForeign(word: string, harmless: readonly string[]): boolean {
  return !harmless.includes(word.toLowerCase()) && chainOfAddress(word) !== undefined;
}

/** As many scripts write them, and nothing between. */
function lettersOf(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
}
