/**
 * Addresses: 0x41 and the last 20 bytes of the public key's hash, as base58check text (`T…`) or hex (`41…`).
 * Everywhere inside they are base58check.
 */
import { foreignAddress } from '../requests/foreign-address.ts';
import { base58check } from '../../base/base58.ts';
import { bytesOf, hexOf } from '../../base/bytes.ts';

const PREFIX = 0x41;

export function isAddress(text: string): boolean {
  return typeof read(text) !== 'string';
}

/** The address as base58check. Throws an error whose message follows the field's name. */
export function readAddress(value: unknown): string {
  if (value === undefined || value === null || value === '') throw new Error('is required');
  if (typeof value !== 'string') throw new Error('must be an address as text');
  const bytes = read(value);
  if (typeof bytes === 'string') throw new Error(bytes);
  return addressOf(bytes);
}

/** Of 21 bytes. */
export function addressOf(bytes: Uint8Array): string {
  return base58check.encode(bytes);
}

/** The 21 bytes of an already validated address. */
export function addressBytes(address: string): Uint8Array {
  return base58check.decode(address);
}

/** As contracts see it: `0x` and 20 bytes. */
export function toEvm(address: string): string {
  return hexOf(addressBytes(address).subarray(1));
}

export function fromEvm(address: string): string {
  return addressOf(bytesOf(`0x${PREFIX.toString(16)}${address.slice(2)}`));
}

/** 21 bytes, or what is wrong with the text. */
function read(text: string): Uint8Array | string {
  if (/^41[0-9a-fA-F]{40}$/.test(text)) return bytesOf(`0x${text}`);
  if (/^0x[0-9a-fA-F]{40}$/.test(text))
    return 'is an address of Ethereum, GoChain or VeChain, not a Tron one';
  const foreign = foreignAddress(text, 'TRON');
  if (foreign) return foreign;
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text))
    return 'is not a Tron address: T and 33 more characters, or 41 and 40 hex digits';
  try {
    const bytes = base58check.decode(text);
    if (bytes.length === 21 && bytes[0] === PREFIX) return bytes;
  } catch {
    // Named below.
  }
  return 'has a wrong checksum: a character is mistyped, or upper and lower case were changed';
}
