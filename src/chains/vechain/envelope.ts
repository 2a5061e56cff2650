/**
 * Transactions as bytes: the legacy form with a price coefficient, and type 0x51 with two prices (VIP-251). Either may leave the gas to
 * another account (VIP-191).
 * https://docs.vechain.org/core-concepts/transactions/transaction-model
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { checksum } from '../evm/address.ts';
import { bytesOf, concat, hexOf } from '../hex.ts';
import { bytesIn, decodeRlpList, encodeRlp, listIn, type Rlp, uintDigits, uintIn } from '../rlp.ts';

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
  /** Blocks after that one that may take the transaction. */
  expiration: number;
  clauses: readonly Clause[];
  /** Legacy: share of the base price, in 255ths, that is paid on top of it. */
  gasPriceCoef?: number | undefined;
  /** Type 0x51, wei of VTHO. */
  maxPriorityFeePerGas?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  gas: bigint;
  /** Id of a transaction that must come before. */
  dependsOn: string | null;
  nonce: bigint;
  /** Whether another account signs for the gas. */
  delegated: boolean;
}

const TYPE = '0x51';

/** `0x…` of what is signed, or with signatures (65 bytes each, `0x…`) of what is sent. */
export function serialize(body: Body, ...signatures: readonly string[]): string {
  const { chainTag, blockRef, expiration, clauses, gas, dependsOn, nonce, delegated } = body;
  const items: Rlp[] = [
    uintDigits(chainTag),
    uintDigits(BigInt(blockRef)),
    uintDigits(expiration),
    clauses.map(({ to, value, data }) => [digits(to), uintDigits(value), digits(data)]),
    ...(isDynamic(body)
      ? [uintDigits(body.maxPriorityFeePerGas!), uintDigits(body.maxFeePerGas!)]
      : [uintDigits(body.gasPriceCoef!)]),
    uintDigits(gas),
    digits(dependsOn),
    uintDigits(nonce),
    delegated ? ['01'] : [],
  ];
  if (signatures.length > 0) items.push(signatures.map(digits).join(''));
  return `${isDynamic(body) ? TYPE : '0x'}${encodeRlp(items)}`;
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

/** Number of the last block that may take the transaction. */
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

/** Whether numbers have needless zeros, and lists needless items, is left to the comparison with what they serialize to. */
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
        to: to === '' ? null : checksum(bytesIn(to, 20)),
        value: uintIn(value, 256),
        data: bytesIn(data),
      };
    }),
    ...prices,
    gas: uintIn(gas, 64),
    dependsOn: dependsOn === '' ? null : bytesIn(dependsOn, 32),
    nonce: uintIn(nonce, 64),
    delegated: listIn(reserved).length > 0,
  };
}

function itemsOf(bytes: string): Rlp[] {
  return decodeRlpList(bytes, bytes.startsWith(TYPE) ? TYPE.length : 2);
}

function blockRefOf(item: Rlp | undefined): string {
  return `0x${uintIn(item, 64).toString(16).padStart(16, '0')}`;
}

function digits(hex: string | null): string {
  return hex === null ? '' : hex.slice(2).toLowerCase();
}
