/**
 * The part of protobuf that a transaction needs: integers and bytes. Fields with their default value are
 * omitted, as in proto3.
 * https://protobuf.dev/programming-guides/encoding/
 */
import { concat } from '../../base/bytes.ts';

/** A non-negative integer below 2^63. */
export function integer(field: number, value: bigint | number): Uint8Array {
  return value ? concat(varint(field << 3), varint(value)) : new Uint8Array();
}

/** Bytes, or a message inside. */
export function bytes(field: number, value: Uint8Array): Uint8Array {
  return value.length ? concat(varint((field << 3) | 2), varint(value.length), value) : new Uint8Array();
}

/** Fields of a message in order: integers as bigint, the rest as bytes. Throws `RangeError` if it is not a message. */
export function* fields(message: Uint8Array): Generator<[field: number, value: bigint | Uint8Array]> {
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number does not end');
  };
  while (at < message.length) {
    const tag = Number(next());
    const value = next();
    if ((tag & 7) === 0) yield [tag >> 3, value];
    else if ((tag & 7) === 2 && at + Number(value) <= message.length)
      yield [tag >> 3, message.subarray(at, (at += Number(value)))];
    else throw new RangeError('not a field of integers or bytes');
  }
}

function varint(value: bigint | number): Uint8Array {
  const groups: number[] = [];
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...groups, Number(rest));
}
