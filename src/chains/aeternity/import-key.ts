/** Keys as Aeternity's wallets write them. Loaded when one is imported. */
import type { PrivateKey } from '../chain.ts';
import { KeyInvalidError } from '../keys/key-error.ts';
import { decode58 } from './encoding.ts';
import { readHex } from './hex-key.ts';

/** `sk_…`, 64 hex digits of the key, or 128 with the public key behind it, as older wallets write it; a JSON keystore with its password. */
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
