/**
 * Base58 with a checksum of four bytes (https://en.bitcoin.it/wiki/Base58Check_encoding), of what is as short as addresses and keys: the time
 * grows with the square of the length.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf, concat, hexOf } from './bytes.ts';

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const MAX_LENGTH = 128;

export const base58check = {
  encode(payload: Uint8Array): string {
    const hex = hexOf(withChecksum(payload));
    let text = '';
    for (let rest = BigInt(hex); rest > 0n; rest /= 58n) text = LETTERS[Number(rest % 58n)]! + text;
    // A leading zero byte is a 1.
    const [, zeros] = /^0x((?:00)*)/.exec(hex)!;
    return '1'.repeat(zeros!.length / 2) + text;
  },
  /** Throws for text that is not base58, and for a wrong checksum. */
  decode(text: string): Uint8Array<ArrayBuffer> {
    if (text.length > MAX_LENGTH) throw new RangeError('too long');
    let value = 0n;
    for (const letter of text) {
      const digit = LETTERS.indexOf(letter);
      if (digit < 0) throw new RangeError('not base58');
      value = value * 58n + BigInt(digit);
    }
    const [zeros] = /^1*/.exec(text)!;
    const digits = value ? value.toString(16) : '';
    const bytes = bytesOf(`0x${'00'.repeat(zeros.length)}${digits.length % 2 ? '0' : ''}${digits}`);
    const payload = bytes.slice(0, -4);
    if (hexOf(withChecksum(payload)) !== hexOf(bytes)) throw new RangeError('a wrong checksum');
    return payload;
  },
};

function withChecksum(payload: Uint8Array): Uint8Array {
  return concat(payload, sha256(sha256(payload)).subarray(0, 4));
}
