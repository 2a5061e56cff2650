/** Keys in the formats of Aeternity's wallets. Loaded when one is imported. */
import { getPublicKeyAsync } from '@noble/ed25519';
import { bytesOf, hexOf } from '../../base/bytes.ts';
import type { PrivateKey } from '../terms.ts';
import { KeyInvalidError } from '../keys/key-error.ts';
import { decode58 } from './encoding.ts';

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

// SHA-512 is the platform's, which is asynchronous.

/** A private key in hex, optionally followed by its public key. Throws `request.invalid` at `key`. */
export async function readHex(text: string): Promise<PrivateKey> {
  const digits = text.replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]*$/.test(digits))
    throw new KeyInvalidError('form', 'must begin with sk_, or have 64 or 128 hex digits');
  if (digits.length !== 64 && digits.length !== 128)
    throw new KeyInvalidError('length', `must have 64 or 128 hex digits, has ${digits.length}`);
  const bytes = bytesOf(`0x${digits}`);
  const key = bytes.slice(0, 32);
  if (digits.length === 128 && hexOf(await getPublicKeyAsync(key)) !== hexOf(bytes.subarray(32)))
    throw new KeyInvalidError(
      'public-half',
      'has a second half that is not the public key of the first: a digit is mistyped',
    );
  return key;
}
