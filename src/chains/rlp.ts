/** Recursive length prefixes: https://ethereum.org/developers/docs/data-structures-and-encoding/rlp/ */

/** Hex digits of bytes, without 0x, or a list. */
export type Rlp = string | Rlp[];

/** A number's digits: whole bytes without leading zeros, and none at all for 0. */
export function uintDigits(value: number | bigint): string {
  return value ? byteDigits(value) : '';
}

export function encodeRlp(item: Rlp): string {
  if (typeof item !== 'string') return prefixed(item.map(encodeRlp).join(''), 0xc0);
  return item.length === 2 && item < '80' ? item : prefixed(item, 0x80);
}

/** Reads the one list that begins at digit `at` of `hex` and ends with it. Throws `RangeError` for anything else. */
export function decodeRlpList(hex: string, at = 0): Rlp[] {
  const [item, end] = decode(hex, at, hex.length);
  if (typeof item === 'string' || end !== hex.length) throw new RangeError('not one list');
  return item;
}

/** A number of so many bits. Throws `RangeError` for anything else; needless zeros are let be. */
export function uintIn(item: Rlp | undefined, bits: number): bigint {
  const value = BigInt(item === '' ? 0 : bytesIn(item));
  if (value >> BigInt(bits)) throw new RangeError(`not a number of ${bits} bits`);
  return value;
}

/** `0x…`, of `size` bytes where it is given. Throws `RangeError` for anything else. */
export function bytesIn(item: Rlp | undefined, size?: number): string {
  if (typeof item !== 'string' || (size !== undefined && item.length !== size * 2))
    throw new RangeError(`not ${size ?? 'any'} bytes`);
  return `0x${item}`;
}

/** Throws `RangeError` for bytes. */
export function listIn(item: Rlp | undefined): Rlp[] {
  if (!Array.isArray(item)) throw new RangeError('not a list');
  return item;
}

/** The item at `at`, and where it ends. */
function decode(hex: string, at: number, limit: number): [Rlp, number] {
  const first = Number.parseInt(hex.slice(at, at + 2), 16);
  if (first < 0x80) return [hex.slice(at, at + 2), at + 2];
  const isList = first >= 0xc0;
  let length = first - (isList ? 0xc0 : 0x80);
  let start = at + 2;
  if (length > 55) {
    const body = start + (length - 55) * 2;
    length = Number.parseInt(hex.slice(start, body), 16);
    start = body;
  }
  const end = start + length * 2;
  // Also false for what is not a number, where the bytes end too soon.
  if (!(end <= limit)) throw new RangeError('item is longer than the data');
  if (!isList) return [hex.slice(start, end), end];
  const items: Rlp[] = [];
  for (let next = start; next < end; ) {
    const [item, after] = decode(hex, next, end);
    items.push(item);
    next = after;
  }
  return [items, end];
}

function prefixed(body: string, offset: number): string {
  const length = body.length / 2;
  if (length < 56) return byteDigits(offset + length) + body;
  const size = byteDigits(length);
  return byteDigits(offset + 55 + size.length / 2) + size + body;
}

function byteDigits(value: number | bigint): string {
  const hex = value.toString(16);
  return hex.length % 2 ? `0${hex}` : hex;
}
