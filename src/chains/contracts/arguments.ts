/**
 * Arguments of a call as a build body gives them: text, or JSON text (or an array) for lists and tuples. Read before they are encoded, which
 * takes no text for a number and answers without the field's name.
 * https://docs.soliditylang.org/en/latest/abi-spec.html#types
 */
import type { AbiValue } from './abi.ts';
import { type AbiType, lowBits, sizeOf } from './abi-types.ts';

/** What fits into the longest transaction that networks accept, 128 KiB: each item has 32 bytes. */
const MAX_ITEMS = 4096;

/** The value with `change` made to all that is in no list and no tuple. */
export function mapValues(
  type: AbiType,
  value: AbiValue,
  change: (type: string, value: AbiValue) => AbiValue,
): AbiValue {
  const { item, parts, text } = type;
  if (item) return (value as AbiValue[]).map((one) => mapValues(item, one, change));
  if (parts) return parts.map((part, i) => mapValues(part, (value as AbiValue[])[i]!, change));
  return change(text, value);
}

/** Reads an address into the ABI's form. Throws an error whose message follows the field's name. */
export type ReadAddress = (value: unknown) => string;

/** The value ready to encode. Throws an error whose message follows the field's name. */
export function readArgument(type: AbiType, value: unknown, readAddress: ReadAddress): AbiValue {
  const { text, item, length = -1, parts } = type;
  if (item)
    // Unlike `map`, it does not skip holes.
    return Array.from(readList(text, value, length), (one) => readArgument(item, one, readAddress));
  if (parts) {
    const items = readList(text, value, parts.length);
    return parts.map((part, i) => readArgument(part, items[i], readAddress));
  }
  if (text === 'address') return readAddress(value);
  if (text === 'string') {
    if (typeof value !== 'string') throw new Error('must be text');
    return value;
  }
  if (text === 'bool') {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw new Error('must be true or false');
  }
  return text.startsWith('bytes') ? readBytes(type, value) : readInteger(type, value);
}

/** `length`: -1 for any. */
function readList(type: string, value: unknown, length: number): unknown[] {
  let list = value;
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value);
    } catch {
      list = undefined;
    }
  }
  if (!Array.isArray(list)) throw new Error(`must be a JSON list for ${type}, for example ["1","2"]`);
  if (list.length > MAX_ITEMS) throw new Error(`must have at most ${MAX_ITEMS} items`);
  if (length !== -1 && list.length !== length)
    throw new Error(`must have ${length} items for ${type}, has ${list.length}`);
  return list;
}

function readBytes(type: AbiType, value: unknown): string {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw new Error(`must be 0x and pairs of hex digits for ${type.text}`);
  const size = sizeOf(type);
  if (size && value.length !== 2 + size * 2)
    throw new Error(`must have ${size} bytes for ${type.text}, has ${(value.length - 2) / 2}`);
  return value.toLowerCase();
}

function readInteger(type: AbiType, value: unknown): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('is not exact as a JavaScript number; pass it as a decimal string');
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string')
    throw new Error(`must be a decimal string for ${type.text}`);
  if (typeof value === 'string' && !/^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value))
    throw new Error(`must be a decimal string for ${type.text}`);
  const integer = BigInt(value);
  if (lowBits(type, integer) !== integer) throw new Error(`is out of range for ${type.text}`);
  return integer;
}
