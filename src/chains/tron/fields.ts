/** Fields that only Tron's payloads have. */
import { readUint } from '../requests/fields.ts';
import { COIN } from './draft.ts';
import { readAddress, toEvm } from './address.ts';
import { card } from './card.ts';

/** Amounts of TRX and TRC-10 are signed 64-bit integers. */
export const INT64 = 1n << 63n;

export function readInt64(value: unknown): bigint {
  return readUint(value, INT64, 'must be below 2^63', { name: 'sun', coin: COIN });
}

/** The maximum that a call may burn for energy. */
export function readFeeLimit(value: unknown): bigint {
  const limit = readInt64(value);
  if (limit === 0n) throw new Error('must be greater than 0; leave it out to have it computed');
  return limit;
}

/** A TRC-10 id as digits, or a TRC-20 contract's address. */
export function readToken(value: unknown): string {
  if (typeof value === 'string' && card.tokenId.test(value)) return value;
  if (typeof value === 'string' && /^\d+$/.test(value))
    throw new Error('is not the id of a TRC-10 token: digits that do not begin with 0');
  return readAddress(value);
}

export function isAssetId(token: string): boolean {
  return /^\d+$/.test(token);
}

/** A Tron address in the contracts' format. */
export function readEvmAddress(value: unknown): string {
  return toEvm(readAddress(value));
}
