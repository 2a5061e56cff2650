/** Whose signature a message has: the inverse of `personal_sign`. It needs no key, and ethers for it is in the wallet. */
import { hashMessage } from 'ethers/hash';
import { recoverAddress } from 'ethers/transaction';
import { getBytes } from 'ethers/utils';
import { RequestInvalidError } from '../../base/errors.ts';

/** `[message, signature]`, both in hex. The address in lower case, as others answer. */
export function signerOf([message, signature]: readonly unknown[]): string {
  const hash = hashMessage(readBytes(message, 0));
  readBytes(signature, 1, 65);
  try {
    return recoverAddress(hash, String(signature)).toLowerCase();
  } catch {
    throw invalid(1, 'is not a signature of anybody');
  }
}

function readBytes(value: unknown, at: number, length?: number): Uint8Array {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value))
    throw invalid(at, 'must be bytes in hex: 0x and two digits each');
  const bytes = getBytes(value);
  if (length !== undefined && bytes.length !== length) throw invalid(at, `must have ${length} bytes`);
  return bytes;
}

function invalid(at: number, message: string): RequestInvalidError {
  return new RequestInvalidError([{ path: `params.${at}`, message }]);
}
