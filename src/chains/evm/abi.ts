/**
 * Contract calls by the ABI specification, version 2. Small on purpose: ethers' coder would be a third of what a signature downloads.
 * https://docs.soliditylang.org/en/latest/abi-spec.html
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesOf } from '../hex.ts';
import { checksum } from './address.ts';

/** Addresses, strings and bytes as text (`0x…`), integers as bigint, lists and tuples as arrays. */
export type AbiValue = string | boolean | bigint | AbiValue[];

/** The first 4 bytes of a call: `selector('transfer', ['address', 'uint256'])` is `0xa9059cbb`. */
export function selector(name: string, types: readonly string[]): string {
  const hash = keccak_256(utf8ToBytes(`${name}(${types.map(canonical).join(',')})`));
  return `0x${bytesToHex(hash.subarray(0, 4))}`;
}

/** Selector and arguments. The values must fit their types, as `readValue` answers them. */
export function encodeCall(name: string, types: readonly string[], values: readonly AbiValue[]): string {
  return selector(name, types) + encodeTuple(types, values);
}

/** The values of `data` (`0x…`, without a selector). Throws where it does not fit; bytes after the end are let be. */
export function decode(types: readonly string[], data: string): AbiValue[] {
  const hex = data.slice(2);
  return decodeTuple(types, { hex, left: hex.length }, 0);
}

/**
 * The same, only where encoding them again gives these very bytes. What is decoded to be shown must not be read differently by a contract:
 * bytes after the end, padding that is not zero, and parts in another order or over one another are refused.
 */
export function decodeExactly(types: readonly string[], data: string): AbiValue[] {
  const bytes = data.toLowerCase();
  const values = decode(types, bytes);
  if (encodeTuple(types, values) !== bytes.slice(2))
    throw new RangeError('values are not encoded as the ABI says');
  return values;
}

/** `left`: digits that lists and bytes may still take. Values that lie over one another would otherwise come to more than the data. */
interface Source {
  readonly hex: string;
  left: number;
}

/** The parts of a list of types: `uint256,(address,bool)[]` has two. */
export function splitTypes(types: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const char of types) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (char === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += char;
  }
  if (part.trim()) parts.push(part.trim());
  return parts;
}

/** `T[]` and `T[3]`: the item's type, and the length of a fixed list. */
export function listOf(type: string): { item: string; length: number | undefined } | undefined {
  const match = /^(.*)\[(\d*)\]$/.exec(type);
  return match ? { item: match[1]!, length: match[2] ? Number(match[2]) : undefined } : undefined;
}

/** `(A,B)`: the parts' types. */
export function tupleOf(type: string): string[] | undefined {
  return type.startsWith('(') && type.endsWith(')') ? splitTypes(type.slice(1, -1)) : undefined;
}

export function isType(type: string): boolean {
  const list = listOf(type);
  if (list) return isType(list.item);
  const tuple = tupleOf(type);
  if (tuple) return tuple.every(isType);
  if (/^(address|bool|string|bytes|u?int)$/.test(type)) return true;
  const bytes = /^bytes([1-9]\d?)$/.exec(type);
  if (bytes) return Number(bytes[1]) <= 32;
  const integer = /^u?int([1-9]\d{0,2})$/.exec(type);
  return integer !== null && Number(integer[1]) % 8 === 0 && Number(integer[1]) <= 256;
}

/** Selectors are of types written in full. */
export function canonical(type: string): string {
  const list = listOf(type);
  if (list) return `${canonical(list.item)}[${list.length ?? ''}]`;
  const tuple = tupleOf(type);
  if (tuple) return `(${tuple.map(canonical).join(',')})`;
  return type === 'uint' || type === 'int' ? `${type}256` : type;
}

function isDynamic(type: string): boolean {
  const list = listOf(type);
  if (list) return list.length === undefined || isDynamic(list.item);
  return type === 'string' || type === 'bytes' || (tupleOf(type)?.some(isDynamic) ?? false);
}

/** Hex digits that a value takes in the head. */
function headSize(type: string): number {
  if (isDynamic(type)) return 64;
  const list = listOf(type);
  if (list) return list.length! * headSize(list.item);
  return tupleOf(type)?.reduce((sum, part) => sum + headSize(part), 0) ?? 64;
}

function encodeTuple(types: readonly string[], values: readonly AbiValue[]): string {
  let offset = types.reduce((sum, type) => sum + headSize(type), 0) / 2;
  let head = '';
  let tail = '';
  for (const [i, type] of types.entries()) {
    const encoded = encodeValue(type, values[i]!);
    if (isDynamic(type)) {
      head += word(BigInt(offset));
      tail += encoded;
      offset += encoded.length / 2;
    } else head += encoded;
  }
  return head + tail;
}

function encodeValue(type: string, value: AbiValue): string {
  const list = listOf(type);
  if (list) {
    const items = value as AbiValue[];
    const encoded = encodeTuple(
      items.map(() => list.item),
      items,
    );
    return list.length === undefined ? word(BigInt(items.length)) + encoded : encoded;
  }
  const tuple = tupleOf(type);
  if (tuple) return encodeTuple(tuple, value as AbiValue[]);
  if (type === 'string') return encodeBytes(bytesToHex(utf8ToBytes(value as string)));
  if (type === 'bytes') return encodeBytes((value as string).slice(2));
  if (type.startsWith('bytes')) return (value as string).slice(2).padEnd(64, '0');
  if (type === 'address') return (value as string).slice(2).toLowerCase().padStart(64, '0');
  return word(BigInt(value as bigint));
}

function encodeBytes(hex: string): string {
  return word(BigInt(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
}

function word(value: bigint): string {
  return BigInt.asUintN(256, value).toString(16).padStart(64, '0');
}

function decodeTuple(types: readonly string[], source: Source, start: number): AbiValue[] {
  let at = start;
  return types.map((type) => {
    const value = isDynamic(type)
      ? decodeValue(type, source, start + Number(readWord(source.hex, at)) * 2)
      : decodeValue(type, source, at);
    at += headSize(type);
    return value;
  });
}

function decodeValue(type: string, source: Source, at: number): AbiValue {
  const { hex } = source;
  const list = listOf(type);
  if (list) {
    const length = list.length ?? Number(readWord(hex, at));
    const start = list.length === undefined ? at + 64 : at;
    // Of a static list the head has them already.
    if (isDynamic(type)) spend(source, length * headSize(list.item));
    return decodeTuple(
      Array.from({ length }, () => list.item),
      source,
      start,
    );
  }
  const tuple = tupleOf(type);
  if (tuple) return decodeTuple(tuple, source, at);
  const value = readWord(hex, at);
  if (type === 'string' || type === 'bytes') {
    const end = at + 64 + Number(value) * 2;
    if (end > hex.length) throw new RangeError('bytes are longer than the data');
    spend(source, end - at);
    const bytes = hex.slice(at + 64, end);
    return type === 'bytes' ? `0x${bytes}` : new TextDecoder().decode(bytesOf(`0x${bytes}`));
  }
  if (type === 'bool') {
    if (value > 1n) throw new RangeError('not a bool');
    return value === 1n;
  }
  if (type === 'address') {
    if (value >> 160n) throw new RangeError('not an address');
    return checksum(`0x${value.toString(16).padStart(40, '0')}`);
  }
  if (type.startsWith('bytes')) {
    const size = Number(type.slice(5)) * 2;
    const text = hex.slice(at, at + 64);
    if (/[^0]/.test(text.slice(size))) throw new RangeError(`not a ${type}`);
    return `0x${text.slice(0, size)}`;
  }
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 256);
  const number = type.startsWith('u') ? value : BigInt.asIntN(256, value);
  if (type.startsWith('u') ? number >> BigInt(bits) : BigInt.asIntN(bits, number) !== number)
    throw new RangeError(`not a ${type}`);
  return number;
}

function spend(source: Source, digits: number): void {
  source.left -= digits;
  if (!(source.left >= 0)) throw new RangeError('values are longer than the data');
}

function readWord(hex: string, at: number): bigint {
  const text = hex.slice(at, at + 64);
  if (text.length !== 64) throw new RangeError('data is too short');
  return BigInt(`0x${text}`);
}
