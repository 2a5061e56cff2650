/** Keys in the formats of Aeternity's wallets. Loaded when one is imported. */
import type { PrivateKey } from '../chain.ts';
import { KeyInvalidError } from '../keys/key-error.ts';
import { decode58 } from './encoding.ts';
import { readHex } from './hex-key.ts';

/**
 * `sk_…`, the key as 64 hex digits, or 128 with the public key appended, as older wallets write it; or a JSON
 * keystore with its password.
 */
export async function importKey(text: string, password?: string): Promise<PrivateKey> {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const { openKeystore } = await import('./keystore.ts');
    return openKeystore(trimmed, password);
  }
  if (trimmed.startsWith('ak_'))
    throw new KeyInvalidError('address', 'is an address; give the secret key that belongs to it');
  if (trimmed.startsWith('sk_')) {
    const key = decode58(trimmed);
    if (!key)
      throw new KeyInvalidError('checksum', 'has a wrong checksum: a character is mistyped or missing');
    return key;
  }
  return readHex(trimmed);
}
