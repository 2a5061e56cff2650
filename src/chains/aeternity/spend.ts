/** The spend transaction on the wire: https://github.com/aeternity/protocol/blob/master/serializations.md#spend-transaction */
import { blake2b } from '@noble/hashes/blake2.js';
import type { PrivateKey, Signed } from '../terms.ts';
import { bytesOf, concat, hexDigits, hexOf } from '../../base/bytes.ts';
import { encodeRlp } from '../../base/rlp.ts';
import { signBytes } from './account.ts';
import { decode58, encode58, encode64 } from './encoding.ts';

export interface Spend {
  /** `ak_…` */
  from: string;
  to: string;
  /** Aettos. */
  amount: bigint;
  fee: bigint;
  /** Last key block that may contain it; 0 for no expiry. */
  ttl: number;
  nonce: number;
  /** `0x…` */
  payload: string;
}

/** Aettos per gas below which nodes ignore a transaction, by default. */
export const MIN_GAS_PRICE = 10n ** 9n;

const SPEND = '0x0c';
export const SIGNED = '0x0b';
export const VERSION = '0x01';
/** Before the key of an account. */
const ACCOUNT = '0x01';

/** `0x…` of the transaction without its signature. */
export function serialize({ from, to, amount, fee, ttl, nonce, payload }: Spend): string {
  const uints = [amount, fee, ttl, nonce].map(uintItem);
  return encodeRlp([SPEND, VERSION, accountItem(from), accountItem(to), ...uints, payload]);
}

/** Grows with the transaction's size, which includes the fee. */
export function gasOf(spend: Spend): bigint {
  return 15_000n + 20n * BigInt(bytesOf(serialize(spend)).length);
}

/** The smallest fee from `least` up that pays `gasPrice` per gas. */
export function feeAt(gasPrice: bigint, spend: Omit<Spend, 'fee'>, least = 0n): bigint {
  let fee = least;
  // A larger fee may take more bytes, and so cost more itself.
  for (;;) {
    const needed = gasOf({ ...spend, fee }) * gasPrice;
    if (needed <= fee) return fee;
    fee = needed;
  }
}

/**
 * Since the Lima protocol the network id and the transaction's hash are signed; the transaction's own hash
 * includes the signature.
 */
export async function signSpend(spend: Spend, networkId: string, key: PrivateKey): Promise<Signed> {
  const body = serialize(spend);
  const message = concat(new TextEncoder().encode(networkId), hash(bytesOf(body)));
  const bytes = bytesOf(encodeRlp([SIGNED, VERSION, [hexOf(await signBytes(message, key))], body]));
  return { raw: encode64('tx', bytes), hash: encode58('th', hash(bytes)) };
}

/** blake2b-256. */
export function hash(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32 });
}

function accountItem(address: string): string {
  const key = decode58(address);
  if (!key) throw new Error('The draft contains an invalid address.');
  return ACCOUNT + hexDigits(key);
}

/** In whole bytes; unlike in Ethereum, 0 is one. */
function uintItem(value: number | bigint): string {
  if (value < 0 || (typeof value === 'number' && !Number.isSafeInteger(value)))
    throw new RangeError('not a whole number of the transaction');
  const digits = value.toString(16);
  return `0x${digits.length % 2 ? '0' : ''}${digits}`;
}
