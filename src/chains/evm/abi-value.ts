/**
 * Values of Solidity types as a build body gives them: text, or JSON text (or an array) for lists and tuples.
 * https://docs.soliditylang.org/en/latest/abi-spec.html#types
 */
import { type AbiValue, listOf, tupleOf } from './abi.ts';
import { readHexAddress } from './address.ts';
import type { SecretType } from '../secret-type.ts';

/** The value ready to encode, of a type that `isType` knows. Throws an error whose message follows the field's name; `chain` is named there. */
export function readValue(type: string, value: unknown, chain: SecretType): AbiValue {
  const list = listOf(type);
  if (list) {
    const items = readList(type, value);
    if (list.length !== undefined && items.length !== list.length)
      throw new Error(`must have ${list.length} items for ${type}, has ${items.length}`);
    return items.map((item) => readValue(list.item, item, chain));
  }
  const parts = tupleOf(type);
  if (parts) {
    const items = readList(type, value);
    if (items.length !== parts.length)
      throw new Error(`must have ${parts.length} items for ${type}, has ${items.length}`);
    return items.map((item, i) => readValue(parts[i]!, item, chain));
  }
  if (type === 'address') return readHexAddress(value, chain);
  if (type === 'string') {
    if (typeof value !== 'string') throw new Error('must be text');
    return value;
  }
  if (type === 'bool') {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw new Error('must be true or false');
  }
  const bytes = /^bytes(\d*)$/.exec(type);
  if (bytes) return readFixed(type, bytes[1] ? Number(bytes[1]) : undefined, value);
  const [, sign, bits] = /^(u?)int(\d*)$/.exec(type)!;
  return readInteger(type, sign === 'u', bits ? Number(bits) : 256, value);
}

function readList(type: string, value: unknown): unknown[] {
  let list = value;
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value);
    } catch {
      list = undefined;
    }
  }
  if (!Array.isArray(list)) throw new Error(`must be a JSON list for ${type}, for example ["1","2"]`);
  return list;
}

function readFixed(type: string, size: number | undefined, value: unknown): string {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw new Error(`must be 0x and pairs of hex digits for ${type}`);
  if (size !== undefined && value.length !== 2 + size * 2)
    throw new Error(`must have ${size} bytes for ${type}, has ${(value.length - 2) / 2}`);
  return value.toLowerCase();
}

function readInteger(type: string, unsigned: boolean, bits: number, value: unknown): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('is not exact as a JavaScript number; pass it as a decimal string');
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string')
    throw new Error(`must be a decimal string for ${type}`);
  if (typeof value === 'string' && !/^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value))
    throw new Error(`must be a decimal string for ${type}`);
  const number = BigInt(value);
  const low = unsigned ? 0n : -(1n << BigInt(bits - 1));
  const high = unsigned ? (1n << BigInt(bits)) - 1n : (1n << BigInt(bits - 1)) - 1n;
  if (number < low || number > high) throw new Error(`is out of range for ${type}`);
  return number;
}
