/** Fields that only Tron's payloads have. */
import { type AbiValue, listOf, tupleOf } from '../evm/abi.ts';
import { readValue } from '../evm/abi-value.ts';
import { readUint } from '../fields.ts';
import { readAddress, toEvm } from './address.ts';

/** Amounts of TRX and TRC-10 are signed 64-bit integers. */
export const INT64 = 1n << 63n;

export function readInt64(value: unknown): bigint {
  return readUint(value, INT64, 'must be below 2^63');
}

/** A TRC-10 id as digits, or a TRC-20 contract's address. */
export function readToken(value: unknown): string {
  if (typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value)) return value;
  if (typeof value === 'string' && /^\d+$/.test(value))
    throw new Error('is not the id of a TRC-10 token: digits that do not begin with 0');
  return readAddress(value);
}

export function isAssetId(token: string): boolean {
  return /^\d+$/.test(token);
}

/** A value of a Solidity type, ready to encode; addresses are Tron's. Throws an error whose message follows the field's name. */
export function readInput(type: string, value: unknown): AbiValue {
  return readValue(type, withEvmAddresses(type, value), 'TRON');
}

function withEvmAddresses(type: string, value: unknown): unknown {
  const item = listOf(type)?.item;
  const parts = tupleOf(type);
  if (item === undefined && !parts) return type === 'address' ? toEvm(readAddress(value)) : value;
  let list = value;
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value);
    } catch {
      // `readValue` names it.
    }
  }
  if (!Array.isArray(list)) return value;
  return list.map((entry, i) => {
    const inner = item ?? parts![i];
    return inner === undefined ? entry : withEvmAddresses(inner, entry);
  });
}
