/**
 * Contract calls, by ethers' ABI coder. It decodes what no compiler writes: non-zero padding, a uint8 of
 * 2^256 - 1, a bool of 2, trailing bytes. What the user is shown goes through `decodeExactly`.
 * https://docs.soliditylang.org/en/latest/abi-spec.html
 */
import { AbiCoder, FunctionFragment, ParamType } from 'ethers/abi';

/** Addresses, strings and bytes as text (`0x…`), integers as bigint, lists and tuples as arrays. */
export type AbiValue = string | boolean | bigint | AbiValue[];

/** A Solidity type in full, such as `(address,uint256)[]`, or as ethers has parsed it. */
type Type = string | ParamType;

const coder = AbiCoder.defaultAbiCoder();

/**
 * How many times a value's bytes may be read. Overlapping parts could otherwise expand to 1024 times the
 * size: memory that no page has. ethers has one global limit, which is restored afterwards.
 */
const MAX_INFLATION = 1;
const ETHERS_INFLATION = 1024;

/** The first 4 bytes of a call: `selector('transfer', ['address', 'uint256'])` is `0xa9059cbb`. */
export function selector(name: string, types: readonly Type[]): string {
  return FunctionFragment.getSelector(name, [...types]);
}

/** Selector and arguments. The values must fit their types, as `readArgument` returns them. */
export function encodeCall(name: string, types: readonly Type[], values: readonly AbiValue[]): string {
  return selector(name, types) + coder.encode(types, values).slice(2);
}

/** The values of `data` (`0x…`, without a selector). Throws if it is too short, or has text that is not UTF-8. */
export function decode(types: readonly Type[], data: string): AbiValue[] {
  AbiCoder._setDefaultMaxInflation(MAX_INFLATION);
  try {
    return coder.decode(types, data).toArray(true) as AbiValue[];
  } finally {
    AbiCoder._setDefaultMaxInflation(ETHERS_INFLATION);
  }
}

/**
 * The same, but only if re-encoding gives exactly these bytes. A contract must not read differently what is
 * shown: trailing bytes, dirty padding, and reordered or overlapping parts are refused.
 */
export function decodeExactly(types: readonly Type[], data: string): AbiValue[] {
  const values = decode(types, data);
  if (coder.encode(types, values) !== data.toLowerCase())
    throw new RangeError('values are not encoded as the ABI says');
  return values;
}

/** What `transfer(address,uint256)` carries. */
export function transferOf(call: string): [to: string, amount: bigint] {
  return decode(['address', 'uint256'], `0x${call.slice(10)}`) as [string, bigint];
}
