/** Bytes as text with a prefix and a checksum: https://github.com/aeternity/protocol/blob/master/node/api/api_encoding.md */
import { sha256 } from '@noble/hashes/sha2.js';
import { base58check } from '../../base/base58.ts';
import { fromBase64, toBase64 } from '../../base/base64.ts';
import { concat } from '../../base/bytes.ts';

/** Account, secret key, hash of a transaction: 32 bytes. */
export function encode58(prefix: 'ak' | 'sk' | 'th', bytes: Uint8Array): string {
  return `${prefix}_${base58check.encode(bytes)}`;
}

export function encode64(prefix: 'tx', bytes: Uint8Array): string {
  return `${prefix}_${toBase64(concat(bytes, sha256(sha256(bytes)).subarray(0, 4)))}`;
}

/** For text made by `encode64`. */
export function decode64(text: string): Uint8Array {
  return fromBase64(text.slice(3)).subarray(0, -4);
}

/** The 32 bytes after the three-character prefix; undefined if the length or the checksum is wrong. */
export function decode58(text: string): Uint8Array | undefined {
  if (!hasForm58(text)) return undefined;
  try {
    const bytes = base58check.decode(text.slice(3));
    return bytes.length === 32 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Whether what follows the prefix could be 32 bytes and their checksum. */
export function hasForm58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{38,53}$/.test(text.slice(3));
}
