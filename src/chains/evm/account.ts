/** Keys and their addresses. What only importing a keystore needs is loaded when it happens. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { PrivateKey } from '../chain.ts';
import { hexOf } from '../hex.ts';
import { KeyInvalidError } from '../key-error.ts';
import { publicKey, readHexKey } from '../secp256k1.ts';
import { checksum } from './address.ts';

export function address(key: PrivateKey): string {
  return addressOf(publicKey(key, 'uncompressed'));
}

/** The last 20 bytes of the hash of a public key of 65 bytes. */
export function addressOf(publicKey: Uint8Array): string {
  return checksum(hexOf(keccak_256(publicKey.subarray(1)).subarray(12)));
}

/** 64 hex digits, with or without 0x, or a JSON keystore (version 3) with its password. */
export async function importKey(text: string, password?: string): Promise<PrivateKey> {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const { openKeystore } = await import('../keystore.ts');
    return openKeystore(trimmed, password);
  }
  if (!/^[0-9a-fA-F]*$/.test(trimmed.replace(/^0x/i, '')))
    throw new KeyInvalidError('form', 'must be 64 hex digits, or the text of a keystore file');
  return readHexKey(trimmed);
}
