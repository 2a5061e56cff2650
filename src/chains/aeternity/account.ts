/** Keys on ed25519 (RFC 8032). A private key is the 32 bytes that the RFC begins with. */
// SHA-512 is the platform's, which answers later.
import { getPublicKeyAsync, signAsync } from '@noble/ed25519';
import type { PrivateKey } from '../chain.ts';
import { bytesOf, hexOf } from '../hex.ts';
import { readIndex } from '../keys/derivation.ts';
import { KeyInvalidError } from '../keys/key-error.ts';
import { encode58 } from './encoding.ts';

export async function address(key: PrivateKey): Promise<string> {
  return encode58('ak', await getPublicKeyAsync(key));
}

/** Deterministic. 64 bytes. */
export function signBytes(message: Uint8Array, key: PrivateKey): Promise<Uint8Array> {
  return signAsync(message, key);
}

/** SLIP-10: m/44'/457'/index'/0'/0' of a BIP-39 seed. */
export async function deriveKey(seed: Uint8Array, index: number): Promise<PrivateKey> {
  const account = readIndex(index);
  const { deriveEd25519 } = await import('./slip10.ts');
  return deriveEd25519(seed, [44, 457, account, 0, 0]).key;
}

/** Throws `request.invalid` at `key`. */
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

export function exportKey(key: PrivateKey): string {
  return encode58('sk', key);
}
