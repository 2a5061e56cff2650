/**
 * Transactions as bytes, by ethers: type 0 with a chain id (https://eips.ethereum.org/EIPS/eip-155), 1 with an access list
 * (https://eips.ethereum.org/EIPS/eip-2930) and 2 with two prices (https://eips.ethereum.org/EIPS/eip-1559).
 */
import { Transaction } from 'ethers/transaction';
import type { SignatureLike } from 'ethers/crypto';
import { decodeRlp } from 'ethers/utils';
import { encodeRlp, type RlpItem } from '../../base/rlp.ts';

/** An address and its storage slots, as `0x…`. */
export type AccessList = readonly (readonly [address: string, slots: readonly string[]])[];

/** The fields that are signed. */
export interface TransactionFields {
  type: 0 | 1 | 2;
  /** 0 is a legacy transaction that every network takes. */
  chainId: number;
  nonce: number;
  gas: bigint;
  /** Types 0 and 1. */
  gasPrice?: bigint | undefined;
  /** Type 2. */
  maxFeePerGas?: bigint | undefined;
  maxPriorityFeePerGas?: bigint | undefined;
  to: string | null;
  value: bigint;
  data: string;
  /** Types 1 and 2; none when absent. */
  accessList?: AccessList | undefined;
}

/** Unsigned. */
export function transactionOf({ type, to, gas, accessList, ...fields }: TransactionFields): Transaction {
  const { chainId, nonce, value, data, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = fields;
  return Transaction.from({
    type,
    chainId,
    nonce,
    // Of any case: no checksum is compared here.
    to: to?.toLowerCase() ?? null,
    value,
    data,
    gasLimit: gas,
    gasPrice: gasPrice ?? null,
    maxFeePerGas: maxFeePerGas ?? null,
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? null,
    accessList:
      accessList?.map(([address, storageKeys]) => ({ address, storageKeys: [...storageKeys] })) ?? null,
  });
}

/** Place of `data` among the fields of each type. */
const DATA_AT = { 0: 5, 1: 6, 2: 7 };

/** As ethers serializes it, with the signature if there is one. Only `data` can be long, and ethers is slow with that. */
export function serialize(fields: TransactionFields, signature?: SignatureLike): string {
  const short = transactionOf({ ...fields, data: '0x' });
  if (signature) short.signature = signature;
  const bytes = signature ? short.serialized : short.unsignedSerialized;
  const prefix = fields.type === 0 ? '0x' : bytes.slice(0, 4);
  const items = decodeRlp(`0x${bytes.slice(prefix.length)}`) as RlpItem[];
  items[DATA_AT[fields.type]] = fields.data;
  return prefix + encodeRlp(items).slice(2);
}

/** What r, s and the recovery bit add: in type 0, `v` replaces the chain id and can be two bytes longer. */
const SIGNATURE_BYTES = { 0: 66, 1: 67, 2: 67 };

/** Bytes of a long transaction when signed, at most. A short one's list can take 2 more for its length. */
export function sizeOf(fields: TransactionFields): number {
  return (serialize(fields).length - 2) / 2 + SIGNATURE_BYTES[fields.type];
}

/**
 * An unsigned transaction; undefined for anything else. Only in its canonical form: another would be signed as other bytes than are
 * shown, and ethers reads numbers with leading zeros.
 */
export function parseUnsigned(bytes: string): TransactionFields | undefined {
  try {
    const transaction = Transaction.from(bytes);
    const fields = fieldsOf(transaction);
    return !transaction.signature && fields && serialize(fields) === bytes ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for types that no wallet here signs, and for fees that no node would accept. */
function fieldsOf(transaction: Transaction): TransactionFields | undefined {
  const { type, nonce, gasLimit: gas, to, value, data } = transaction;
  if (type !== 0 && type !== 1 && type !== 2) return undefined;
  const chainId = Number(transaction.chainId);
  const price = (type === 2 ? transaction.maxFeePerGas : transaction.gasPrice) ?? 0n;
  if (!Number.isSafeInteger(chainId) || gas >> 64n || (gas * price) >> 256n) return undefined;
  const common = { chainId, nonce, gas, to, value, data };
  if (type === 0) return { type, ...common, gasPrice: price };
  const accessList = transaction.accessList!.map(
    ({ address, storageKeys }) => [address, storageKeys] as const,
  );
  if (type === 1) return { type, ...common, gasPrice: price, accessList };
  const tip = transaction.maxPriorityFeePerGas ?? 0n;
  return { type, ...common, maxFeePerGas: price, maxPriorityFeePerGas: tip, accessList };
}

/** Whether bytes have the outline of a transaction of any type, signed or not, canonical or not. */
export function resemblesTransaction(bytes: string): boolean {
  // Types 1 to 4 have a byte before their list (EIP-2718).
  const isTyped = /^0x0[1-4]/.test(bytes);
  try {
    const items = decodeRlp(isTyped ? `0x${bytes.slice(4)}` : bytes);
    if (typeof items === 'string') return false;
    if (isTyped) return items.length >= 8;
    const to = items[3];
    return (items.length === 6 || items.length === 9) && (to === '0x' || to?.length === 42);
  } catch {
    return false;
  }
}
