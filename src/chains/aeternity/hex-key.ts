// SHA-512 is the platform's, which is asynchronous.
import { getPublicKeyAsync } from '@noble/ed25519';
import type { PrivateKey } from '../chain.ts';
import { bytesOf, hexOf } from '../../base/bytes.ts';
import { KeyInvalidError } from '../keys/key-error.ts';

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
