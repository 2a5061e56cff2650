/** Private keys on secp256k1 from outside. Loaded when one is imported. */
import type { PrivateKey } from '../chain.ts';
import { bytesOf } from '../../base/bytes.ts';
import { isPrivateKey } from '../secp256k1/secp256k1.ts';
import { KeyInvalidError } from './key-error.ts';

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
