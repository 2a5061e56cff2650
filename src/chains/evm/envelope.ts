/**
 * Transactions as bytes: type 0 with a chain id (https://eips.ethereum.org/EIPS/eip-155), 1 with an access list
 * (https://eips.ethereum.org/EIPS/eip-2930) and 2 with two prices (https://eips.ethereum.org/EIPS/eip-1559).
 * Small on purpose: ethers' own would be a fifth of what a signature downloads.
 */
import { bytesIn, decodeRlpList, encodeRlp, listIn, type Rlp, uintDigits, uintIn } from '../rlp.ts';
import type { RecoverableSignature } from '../secp256k1.ts';
import { checksum } from './address.ts';

/** An address and its storage slots, as `0x…`. */
export type AccessList = readonly (readonly [address: string, slots: readonly string[]])[];

export interface Envelope {
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

/** Fields in the order of the wire. */
const FIELDS = [
  ['nonce', 'gasPrice', 'gas', 'to', 'value', 'data'],
  ['chainId', 'nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'accessList'],
  ['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value', 'data', 'accessList'],
] as const;

/** `0x…` of what is signed, or of what is sent when it is signed. */
export function serialize(envelope: Envelope, signature?: RecoverableSignature): string {
  const { type, chainId } = envelope;
  const items = FIELDS[type].map((name) => itemOf(envelope[name] ?? (name === 'accessList' ? [] : null)));
  if (signature) {
    const { r, s, yParity } = signature;
    const v = type ? yParity : yParity + (chainId ? 35 + 2 * chainId : 27);
    items.push(...[v, BigInt(r), BigInt(s)].map(itemOf));
  } else if (type === 0 && chainId) items.push(itemOf(chainId), '', '');
  return `0x${type ? `0${type}` : ''}${encodeRlp(items)}`;
}

/**
 * An unsigned transaction; undefined for anything else. Only in its canonical form: another would be signed as other bytes than are
 * shown.
 */
export function parseUnsigned(bytes: string): Envelope | undefined {
  try {
    const envelope = read(bytes);
    return serialize(envelope) === bytes ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/** Whether bytes have the outline of a transaction of any type, signed or not, canonical or not. */
export function resemblesTransaction(bytes: string): boolean {
  try {
    const type = typeOf(bytes);
    const items = itemsOf(bytes);
    if (type) return items.length >= FIELDS[1].length;
    const to = items[3];
    return (items.length === 6 || items.length === 9) && (to === '' || to?.length === 40);
  } catch {
    return false;
  }
}

/** Types 1 to 4 have a byte before their list (EIP-2718). */
function typeOf(bytes: string): number {
  return Number(/^0x0([1-4])/.exec(bytes)?.[1] ?? 0);
}

function itemsOf(bytes: string): Rlp[] {
  return decodeRlpList(bytes, typeOf(bytes) ? 4 : 2);
}

/** Whether numbers have needless zeros is left to the comparison with what they serialize to. */
function read(bytes: string): Envelope {
  const type = typeOf(bytes) as Envelope['type'];
  const items = itemsOf(bytes);
  const item = (name: string) => items[(FIELDS[type] as readonly string[]).indexOf(name)];
  const uint = (name: string, bits = 256) => uintIn(item(name), bits);
  const to = item('to') === '' ? null : checksum(bytesIn(item('to'), 20));
  const data = bytesIn(item('data'));
  const common = { nonce: Number(uint('nonce', 53)), gas: uint('gas', 64), to, value: uint('value'), data };
  const price = uint(type === 2 ? 'maxFeePerGas' : 'gasPrice');
  if ((common.gas * price) >> 256n) throw new RangeError('fee is too large');
  if (type === 0) {
    const chainId = items.length > FIELDS[0].length ? Number(uintIn(items[6], 53)) : 0;
    return { type, chainId, gasPrice: price, ...common };
  }
  const chainId = Number(uint('chainId', 53));
  const accessList = accessListOf(item('accessList'));
  if (type === 1) return { type, chainId, gasPrice: price, ...common, accessList };
  const tip = uint('maxPriorityFeePerGas');
  if (tip > price) throw new RangeError('tip is larger than the price');
  return { type, chainId, maxFeePerGas: price, maxPriorityFeePerGas: tip, ...common, accessList };
}

function accessListOf(item: Rlp | undefined): AccessList {
  return listIn(item).map((entry) => {
    const [address, slots, ...more] = listIn(entry);
    if (more.length > 0) throw new RangeError('not an address and its slots');
    return [bytesIn(address, 20), listIn(slots).map((slot) => bytesIn(slot, 32))];
  });
}

type Value = number | bigint | string | null | readonly Value[];

/** Numbers have no leading zeros, and 0 has no bytes at all. */
function itemOf(value: Value): Rlp {
  if (typeof value === 'string') return value.slice(2).toLowerCase();
  if (typeof value === 'object') return value === null ? '' : value.map(itemOf);
  return uintDigits(value);
}
