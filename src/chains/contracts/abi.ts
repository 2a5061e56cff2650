/**
 * Contract calls, as Solidity's ABI encodes them. `decode` reads what no compiler writes, too: non-zero padding, a uint8 of 2^256 - 1, a
 * bool of 2, trailing bytes. What the user is shown goes through `decodeExactly`.
 * https://docs.soliditylang.org/en/latest/abi-spec.html
 */
import { keccak256 } from 'ethers/crypto';
import { bytesOf, hexDigits } from '../../base/bytes.ts';
import { type AbiType, abiTypeOf, isDynamic, lowBits, sizeOf } from './abi-types.ts';
import { checksum, isAddress } from './evm-address.ts';

/** Addresses, strings and bytes as text (`0x…`), integers as bigint, lists and tuples as arrays. */
export type AbiValue = string | boolean | bigint | AbiValue[];

/** A Solidity type in full, such as `(address,uint256)[]`, or taken apart. */
type Type = string | AbiType;

/** Hex digits of 32 bytes. */
const WORD = 64;

/** The first 4 bytes of a call: `selector('transfer', ['address', 'uint256'])` is `0xa9059cbb`. */
export function selector(name: string, types: readonly Type[]): string {
  const signature = `${name}(${types.map((type) => parsed(type).text).join(',')})`;
  return keccak256(new TextEncoder().encode(signature)).slice(0, 10);
}

/** Selector and arguments. The values must fit their types, as `readArgument` returns them. */
export function encodeCall(name: string, types: readonly Type[], values: readonly AbiValue[]): string {
  return selector(name, types) + encodeSequence(types.map(parsed), values);
}

/** The values of `data` (`0x…`, without a selector). Throws if it is too short, or has text that is not UTF-8. */
export function decode(types: readonly Type[], data: string): AbiValue[] {
  return new Reader(data).sequence(types.map(parsed));
}

/**
 * The same, but only if re-encoding gives exactly these bytes. A contract must not read differently what is
 * shown: trailing bytes, dirty padding, and reordered or overlapping parts are refused.
 */
export function decodeExactly(types: readonly Type[], data: string): AbiValue[] {
  const abiTypes = types.map(parsed);
  const values = decode(abiTypes, data);
  if (`0x${encodeSequence(abiTypes, values)}` !== data.toLowerCase())
    throw new RangeError('values are not encoded as the ABI says');
  return values;
}

/** What `transfer(address,uint256)` carries. */
export function transferOf(call: string): [to: string, amount: bigint] {
  return decode(['address', 'uint256'], `0x${call.slice(10)}`) as [string, bigint];
}

function parsed(type: Type): AbiType {
  const abiType = typeof type === 'string' ? abiTypeOf(type) : type;
  if (!abiType) throw new RangeError('not a type of the ABI');
  return abiType;
}

/** Values side by side, of a tuple or a list: first those of fixed size and the places of the others, then the others. */
function encodeSequence(types: readonly AbiType[], values: readonly AbiValue[]): string {
  if (values.length !== types.length)
    throw new RangeError(`${values.length} values for ${types.length} types`);
  const parts = types.map((type, i) => ({ isTail: isDynamic(type), digits: encodeValue(type, values[i]!) }));
  const tails = parts.filter(({ isTail }) => isTail).map(({ digits }) => digits);
  let place = parts.reduce((sum, { isTail, digits }) => sum + (isTail ? WORD : digits.length), 0);
  const heads = parts.map(({ isTail, digits }) => {
    if (!isTail) return digits;
    const head = word(place / 2);
    place += digits.length;
    return head;
  });
  return [...heads, ...tails].join('');
}

function encodeValue(type: AbiType, value: AbiValue): string {
  const { text, item, length, parts } = type;
  if (Array.isArray(value)) {
    if (parts) return encodeSequence(parts, value);
    if (item && (length === -1 || length === value.length))
      return (
        (length === -1 ? word(value.length) : '') +
        encodeSequence(Array<AbiType>(value.length).fill(item), value)
      );
  } else {
    const digits = typeof value === 'string' ? encodeText(type, value) : encodeNumber(type, value);
    if (digits !== undefined) return digits;
  }
  throw new RangeError(`not a value of ${text}`);
}

/** Undefined if it is no value of the type. */
function encodeNumber(type: AbiType, value: boolean | bigint): string | undefined {
  if (type.text === 'bool') return typeof value === 'boolean' ? word(value ? 1 : 0) : undefined;
  const isInRange =
    typeof value === 'bigint' && /^u?int\d+$/.test(type.text) && lowBits(type, value) === value;
  return isInRange ? word(BigInt.asUintN(256, value)) : undefined;
}

/** Undefined if it is no value of the type. */
function encodeText(type: AbiType, value: string): string | undefined {
  const { text } = type;
  if (text === 'address')
    return isAddress(value) ? value.slice(2).toLowerCase().padStart(WORD, '0') : undefined;
  if (text === 'string') {
    // Half a character has no UTF-8.
    return /\p{Surrogate}/u.test(value) ? undefined : sized(hexDigits(new TextEncoder().encode(value)));
  }
  if (!/^bytes\d*$/.test(text) || !isHex(value)) return undefined;
  const digits = value.slice(2).toLowerCase();
  if (text === 'bytes') return sized(digits);
  return digits.length === sizeOf(type) * 2 ? padded(digits) : undefined;
}

function word(value: number | bigint): string {
  return value.toString(16).padStart(WORD, '0');
}

function padded(digits: string): string {
  return digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0');
}

function sized(digits: string): string {
  return word(digits.length / 2) + padded(digits);
}

function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^0x[\da-f]*$/i.test(text);
}

class Reader {
  readonly #digits: string;
  #at = 0;
  /**
   * Bytes that may still be read: each once. Overlapping parts could otherwise expand to many times the size, memory that no page has.
   */
  #unread: number;

  constructor(data: string) {
    if (typeof data !== 'string' || !isHex(data)) throw new RangeError('not bytes in hex');
    this.#digits = data.slice(2).toLowerCase();
    this.#unread = this.#digits.length / 2;
  }

  sequence(types: readonly AbiType[]): AbiValue[] {
    const start = this.#at;
    return types.map((type) => this.#part(type, start));
  }

  /** The value here, or at the place that is written here, counted from `start`. */
  #part(type: AbiType, start: number): AbiValue {
    if (!isDynamic(type)) return this.#value(type);
    const place = start + this.#size() * 2;
    const next = this.#at;
    this.#at = place;
    const value = this.#value(type);
    this.#at = next;
    return value;
  }

  #value(type: AbiType): AbiValue {
    const { text, item, length, parts } = type;
    if (parts) return this.sequence(parts);
    if (item) return this.#list(item, length!);
    if (text === 'string') return utf8(this.#bytes(this.#size()));
    if (text === 'bytes') return `0x${this.#bytes(this.#size())}`;
    if (text.startsWith('bytes')) return `0x${this.#bytes(sizeOf(type))}`;
    const digits = this.#bytes(32);
    if (text === 'address') {
      if (!/^0{24}/.test(digits)) throw new RangeError('not an address');
      return checksum(`0x${digits.slice(24)}`);
    }
    const integer = BigInt(`0x${digits}`);
    return text === 'bool' ? integer !== 0n : lowBits(type, integer);
  }

  #list(item: AbiType, length: number): AbiValue[] {
    const room = this.#digits.length - this.#at;
    const count = length === -1 ? this.#size() : length;
    // Items without a size, such as `uint8[0]`, would not end with the bytes.
    if (length === -1 && count * WORD > room) throw new RangeError('more items than bytes');
    const start = this.#at;
    const values: AbiValue[] = [];
    while (values.length < count) values.push(this.#part(item, start));
    return values;
  }

  /** A length, or a place. */
  #size(): number {
    const size = Number(`0x${this.#bytes(32)}`);
    if (!Number.isSafeInteger(size)) throw new RangeError('more than there are bytes');
    return size;
  }

  /** With the padding that follows them. */
  #bytes(length: number): string {
    const start = this.#at;
    this.#at += Math.ceil(length / 32) * WORD;
    this.#unread -= length;
    if (this.#at > this.#digits.length) throw new RangeError('too few bytes');
    if (this.#unread < 0) throw new RangeError('bytes that overlap');
    return this.#digits.slice(start, start + length * 2);
  }
}

function utf8(digits: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(`0x${digits}`));
  } catch {
    throw new RangeError('not text in UTF-8');
  }
}
