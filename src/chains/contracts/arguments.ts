/**
 * Arguments of a call as a build body gives them: text, or JSON text (or an array) for lists and tuples. Read before ethers encodes them,
 * which takes "false" for true and answers without the field's name.
 * https://docs.soliditylang.org/en/latest/abi-spec.html#types
 */
import { ParamType } from 'ethers/abi';
import type { AbiValue } from './abi.ts';

/** What fits into the longest transaction that networks accept, 128 KiB: each item has 32 bytes. */
const MAX_ITEMS = 4096;

/** Whether it is an ABI type: `uint` and `int` mean 256 bits, and nothing has a name. */
export function isType(type: string): boolean {
  // ethers keeps leading zeros in sizes, which changes the selector.
  if (/[a-z]0/.test(type)) return false;
  try {
    return ParamType.from(type).format() === type.replace(/\b(u?int)(?!\d)/g, '$1256');
  } catch {
    return false;
  }
}

/** Reads an address into the ABI's form. Throws an error whose message follows the field's name. */
export type ReadAddress = (value: unknown) => string;

/** The value ready to encode, of a type that `isType` knows. Throws an error whose message follows the field's name. */
export function readArgument(type: string, value: unknown, readAddress: ReadAddress): AbiValue {
  return read(ParamType.from(type), value, readAddress);
}

function read(param: ParamType, value: unknown, readAddress: ReadAddress): AbiValue {
  const type = param.format();
  if (param.isArray())
    // Unlike `map`, it does not skip holes.
    return Array.from(readList(type, value, param.arrayLength), (item) =>
      read(param.arrayChildren, item, readAddress),
    );
  if (param.isTuple()) {
    const items = readList(type, value, param.components.length);
    return param.components.map((component, i) => read(component, items[i], readAddress));
  }
  const { baseType } = param;
  if (baseType === 'address') return readAddress(value);
  if (baseType === 'string') {
    if (typeof value !== 'string') throw new Error('must be text');
    return value;
  }
  if (baseType === 'bool') {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw new Error('must be true or false');
  }
  const size = Number(/\d+$/.exec(baseType)?.[0]);
  return baseType.startsWith('bytes') ? readBytes(type, size, value) : readInteger(type, size, value);
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

/** `size`: NaN for any. */
function readBytes(type: string, size: number, value: unknown): string {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw new Error(`must be 0x and pairs of hex digits for ${type}`);
  if (size && value.length !== 2 + size * 2)
    throw new Error(`must have ${size} bytes for ${type}, has ${(value.length - 2) / 2}`);
  return value.toLowerCase();
}

function readInteger(type: string, bits: number, value: unknown): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('is not exact as a JavaScript number; pass it as a decimal string');
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string')
    throw new Error(`must be a decimal string for ${type}`);
  if (typeof value === 'string' && !/^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value))
    throw new Error(`must be a decimal string for ${type}`);
  const integer = BigInt(value);
  const inRange = type.startsWith('u') ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer);
  if (inRange !== integer) throw new Error(`is out of range for ${type}`);
  return integer;
}
