/** Addresses with their checksum (EIP-55). ethers' `isAddress` also takes ICAP and hex digits without `0x`: what is read here has both. */
import { getAddress } from 'ethers/address';
import { keccak256 } from 'ethers/crypto';
import { dataSlice } from 'ethers/utils';
import { foreignAddress, named } from '../requests/foreign-address.ts';
import type { SecretType } from '../secret-type.ts';

/** By the address in lower case. A checksum takes a hash, and of thousands of addresses in a request each is asked for several times. */
const checksums = new Map<string, string>();
const KEPT = 5000;

/** Of `0x` and 40 hex digits, whatever their case. https://eips.ethereum.org/EIPS/eip-55 */
export function checksum(address: string): string {
  const lower = address.toLowerCase();
  let sum = checksums.get(lower);
  if (sum === undefined) {
    sum = getAddress(lower);
    if (checksums.size === KEPT) checksums.clear();
    checksums.set(lower, sum);
  }
  return sum;
}

/** The last 20 bytes of the hash of a public key of 65 bytes. */
export function addressOf(publicKey: Uint8Array): string {
  return getAddress(dataSlice(keccak256(publicKey.subarray(1)), 12));
}

export function isAddress(text: string): boolean {
  return problemWith(text, 'ETHEREUM') === undefined;
}

/** The address in checksum form. Throws an error that names the chain; its message follows the field's name. */
export function readHexAddress(value: unknown, chain: SecretType): string {
  if (value === undefined || value === null || value === '') throw new Error('is required');
  if (typeof value !== 'string') throw new Error('must be an address as text');
  const problem = problemWith(value, chain);
  if (problem) throw new Error(problem);
  return checksum(value);
}

function problemWith(text: string, chain: SecretType): string | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) {
    const mixed = /[a-f]/.test(text) && /[A-F]/.test(text);
    if (mixed && checksum(text) !== text)
      return 'has a wrong checksum: a character is mistyped, or upper and lower case were changed';
    return undefined;
  }
  const foreign = foreignAddress(text, chain);
  if (foreign) return foreign;
  if (/^[0-9a-fA-F]{40}$/.test(text)) return 'must begin with 0x';
  if (/^0x[0-9a-fA-F]+$/.test(text))
    return `has ${text.length - 2} hex digits, ${named(chain)} address has 40`;
  return `is not ${named(chain)} address: 0x and 40 hex digits`;
}
