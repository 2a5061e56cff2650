/**
 * Transactions as bytes: the legacy format with a price coefficient, and type 0x51 with two prices (VIP-251).
 * In either, another account may pay the gas (VIP-191).
 * https://docs.vechain.org/core-concepts/transactions/transaction-model
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { concat as concatHex, decodeRlp, type RlpStructuredData, toBeArray } from 'ethers/utils';
import { checksum } from '../contracts/evm-address.ts';
import { encodeRlp } from '../../base/rlp.ts';
import { bytesOf, concat, hexOf } from '../../base/bytes.ts';

export interface Clause {
  to: string | null;
  /** Wei of VET. */
  value: bigint;
  data: string;
}

export interface Body {
  /** Last byte of the genesis block's id. */
  chainTag: number;
  /** First 8 bytes of a block's id, `0x…`; the first 4 are its number. */
  blockRef: string;
  /** For how many blocks after that one the transaction is valid. */
  expiration: number;
  clauses: readonly Clause[];
  /** Legacy: share of the base price, in 255ths, that is paid on top of it. */
  gasPriceCoef?: number | undefined;
  /** Type 0x51, wei of VTHO. */
  maxPriorityFeePerGas?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  gas: bigint;
  /** Id of a transaction that must be mined before. */
  dependsOn: string | null;
  nonce: bigint;
  /** Whether another account signs for the gas. */
  delegated: boolean;
}

const TYPE = '0x51';

/** Maximum bytes of a signed transaction that nodes accept (`MaxTxSize` of thor's pool). */
export const MAX_SIZE = 64 * 1024;
const SIGNATURE = `0x${'ff'.repeat(65)}`;

/** `0x…` of what is signed, or with signatures (65 bytes each, `0x…`) of what is sent. */
export function serialize(body: Body, ...signatures: readonly string[]): string {
  const { chainTag, blockRef, expiration, clauses, gas, dependsOn, nonce, delegated } = body;
  const rlp = encodeRlp([
    uintOf(chainTag),
    uintOf(blockRef),
    uintOf(expiration),
    clauses.map(({ to, value, data }) => [to ?? '0x', uintOf(value), data]),
    ...(isDynamic(body)
      ? [uintOf(body.maxPriorityFeePerGas!), uintOf(body.maxFeePerGas!)]
      : [uintOf(body.gasPriceCoef!)]),
    uintOf(gas),
    dependsOn ?? '0x',
    uintOf(nonce),
    delegated ? ['0x01'] : [],
    ...(signatures.length > 0 ? [concatHex(signatures)] : []),
  ]);
  return isDynamic(body) ? TYPE + rlp.slice(2) : rlp;
}

/** Numbers have no leading zeros, and 0 has no bytes at all. */
function uintOf(value: number | bigint | string): string {
  return hexOf(toBeArray(value));
}

/** Bytes over the nodes' limit, once signed. */
export function overSize(body: Body): number {
  const signatures = body.delegated ? [SIGNATURE, SIGNATURE] : [SIGNATURE];
  return (serialize(body, ...signatures).length - 2) / 2 - MAX_SIZE;
}

export function isDynamic({ maxFeePerGas }: Pick<Body, 'maxFeePerGas'>): boolean {
  return maxFeePerGas !== undefined;
}

/** What the origin signs: the hash of the unsigned bytes. */
export function signingHash(unsigned: string): Uint8Array {
  return blake2b(bytesOf(unsigned), { dkLen: 32 });
}

/** The transaction's id, which is also what the payer of the gas signs. */
export function idOf(hash: Uint8Array, origin: string): string {
  return hexOf(blake2b(concat(hash, bytesOf(origin)), { dkLen: 32 }));
}

/** Gas before any code runs: thor's `tx/transaction.go`, with the byte prices from before Istanbul. */
export function intrinsicGas(clauses: readonly Clause[]): bigint {
  let gas = 5_000;
  for (const { to, data } of clauses) {
    gas += to === null ? 48_000 : 16_000;
    for (const byte of bytesOf(data)) gas += byte ? 68 : 4;
  }
  return BigInt(gas);
}

/** Number of the last block that may contain the transaction. */
export function lastBlock({ blockRef, expiration }: Pick<Body, 'blockRef' | 'expiration'>): number {
  return numberIn(blockRef) + expiration;
}

/** Number of the block that a reference, or an id, names. */
export function numberIn(reference: string): number {
  return Number(reference.slice(0, 10));
}

/** `lastBlock` of bytes that `serialize` made. */
export function lastBlockOf(raw: string): number {
  const items = itemsOf(raw);
  return lastBlock({ blockRef: blockRefOf(items[1]), expiration: Number(uintIn(items[2], 32)) });
}

/**
 * An unsigned transaction; undefined for anything else. Only in its canonical form: another would be signed as other bytes than are
 * shown.
 */
export function parseUnsigned(bytes: string): Body | undefined {
  try {
    const body = read(bytes);
    return serialize(body) === bytes ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Leading zeros and surplus items are caught by the comparison with the re-serialised fields. */
function read(bytes: string): Body {
  const items = itemsOf(bytes);
  const [chainTag, blockRef, expiration, clauses, ...rest] = items;
  const prices = bytes.startsWith(TYPE)
    ? { maxPriorityFeePerGas: uintIn(rest.shift(), 256), maxFeePerGas: uintIn(rest.shift(), 256) }
    : { gasPriceCoef: Number(uintIn(rest.shift(), 8)) };
  const [gas, dependsOn, nonce, reserved] = rest;
  if (prices.maxFeePerGas !== undefined && prices.maxPriorityFeePerGas > prices.maxFeePerGas)
    throw new RangeError('tip is larger than the price');
  return {
    chainTag: Number(uintIn(chainTag, 8)),
    blockRef: blockRefOf(blockRef),
    expiration: Number(uintIn(expiration, 32)),
    clauses: listIn(clauses).map((clause) => {
      const [to, value, data] = listIn(clause);
      return {
        to: to === '0x' ? null : checksum(bytesIn(to, 20)),
        value: uintIn(value, 256),
        data: bytesIn(data),
      };
    }),
    ...prices,
    gas: uintIn(gas, 64),
    dependsOn: dependsOn === '0x' ? null : bytesIn(dependsOn, 32),
    nonce: uintIn(nonce, 64),
    delegated: listIn(reserved).length > 0,
  };
}

type Item = RlpStructuredData | undefined;

function itemsOf(bytes: string): readonly RlpStructuredData[] {
  return listIn(decodeRlp(bytes.startsWith(TYPE) ? `0x${bytes.slice(TYPE.length)}` : bytes));
}

function listIn(item: Item): readonly RlpStructuredData[] {
  if (!Array.isArray(item)) throw new RangeError('not a list');
  return item as readonly RlpStructuredData[];
}

/** `0x…`, of `size` bytes where it is given. */
function bytesIn(item: Item, size?: number): string {
  if (typeof item !== 'string' || (size !== undefined && item.length !== 2 + size * 2))
    throw new RangeError(`not ${size ?? 'any'} bytes`);
  return item;
}

function uintIn(item: Item, bits: number): bigint {
  const value = item === '0x' ? 0n : BigInt(bytesIn(item));
  if (value >> BigInt(bits)) throw new RangeError(`not a number of ${bits} bits`);
  return value;
}

function blockRefOf(item: Item): string {
  return `0x${uintIn(item, 64).toString(16).padStart(16, '0')}`;
}
