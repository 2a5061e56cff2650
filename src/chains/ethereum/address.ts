/** Addresses with their checksum (EIP-55), without the weight of a signer. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** https://eips.ethereum.org/EIPS/eip-55 */
export function checksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  let result = '0x';
  for (let i = 0; i < 40; i++) result += hash[i]! >= '8' ? digits[i]!.toUpperCase() : digits[i]!;
  return result;
}

export function isAddress(text: string): boolean {
  return problemWith(text) === undefined;
}

/** The address in checksum form. Throws an error whose message follows the field's name. */
export function readAddress(value: unknown): string {
  if (value === undefined || value === null || value === '') throw new Error('is required');
  if (typeof value !== 'string') throw new Error('must be an address as text');
  const problem = problemWith(value);
  if (problem) throw new Error(problem);
  return checksum(value);
}

function problemWith(text: string): string | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) {
    const mixed = /[a-f]/.test(text) && /[A-F]/.test(text);
    if (mixed && checksum(text) !== text)
      return 'has a wrong checksum: a character is mistyped, or upper and lower case were changed';
    return undefined;
  }
  const other = chainOf(text);
  if (other) return `is ${other} address, not an Ethereum one`;
  if (/^[0-9a-fA-F]{40}$/.test(text)) return 'must begin with 0x';
  if (/^0x[0-9a-fA-F]+$/.test(text)) return `has ${text.length - 2} hex digits, an Ethereum address has 40`;
  if (/^[^\s@]+\.eth$/.test(text)) return 'is an ENS name; give the address it stands for';
  return 'is not an Ethereum address: 0x and 40 hex digits';
}

/** Cheap shapes of other chains' addresses, for a message that names the mix-up. */
function chainOf(text: string): string | undefined {
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return 'a Tron';
  if (/^(bc1|tb1|bcrt1)[02-9ac-hj-np-z]{11,87}$/i.test(text)) return 'a Bitcoin';
  if (/^(ltc1|tltc1)[02-9ac-hj-np-z]{11,87}$/i.test(text)) return 'a Litecoin';
  if (/^[LM][1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return 'a Litecoin';
  if (/^[13][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(text)) return 'a Bitcoin';
  if (/^ak_[1-9A-HJ-NP-Za-km-z]{30,60}$/.test(text)) return 'an Aeternity';
  return undefined;
}
