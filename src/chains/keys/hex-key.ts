/** Private keys on secp256k1 from outside. Loaded when one is imported. */
import { bytesOf } from '../../base/bytes.ts';
import type { PrivateKey } from '../terms.ts';
import { KeyInvalidError } from './key-error.ts';
import { isPrivateKey } from './secp256k1.ts';

/** 64 hex digits, with or without 0x. Throws `request.invalid` at `key`. */
export function readHexKey(text: string): PrivateKey {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]*$/.test(digits)) throw new KeyInvalidError('form', 'must be 64 hex digits');
  if (digits.length !== 64)
    throw new KeyInvalidError('length', `must have 64 hex digits, has ${digits.length}`);
  return checkedKey(bytesOf(`0x${digits}`));
}

/** Throws `request.invalid` at `key` for bytes that are no key of the curve. */
export function checkedKey(key: PrivateKey): PrivateKey {
  if (!isPrivateKey(key)) throw new KeyInvalidError('range', 'is not a valid private key');
  return key;
}

// Keys as wallets of Ethereum, GoChain and VeChain write them. Loaded when one is imported.

/** 64 hex digits, with or without 0x, or a JSON keystore (version 3) with its password. */
export async function importKey(text: string, password?: string): Promise<PrivateKey> {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const { openKeystore } = await import('./keystore.ts');
    return openKeystore(trimmed, password);
  }
  if (!/^[0-9a-fA-F]*$/.test(trimmed.replace(/^0x/i, '')))
    throw new KeyInvalidError('form', 'must be 64 hex digits, or the text of a keystore file');
  return readHexKey(trimmed);
}
