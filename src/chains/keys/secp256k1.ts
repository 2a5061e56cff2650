/** Keys and signatures on secp256k1. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { getPublicKey, hashes, Point, recoverPublicKey, Signature, sign, utils } from '@noble/secp256k1';
import type { PrivateKey } from '../terms.ts';
import { hexOf } from '../../base/bytes.ts';

/** `r` and `s` are 32 bytes as `0x…`. */
export interface RecoverableSignature {
  r: string;
  s: string;
  yParity: number;
}

hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** 33 bytes, or 65 that begin with 04. */
export function publicKey(key: PrivateKey, form: 'compressed' | 'uncompressed'): Uint8Array {
  return getPublicKey(key, form === 'compressed');
}

/** Of 32 bytes. Deterministic (RFC 6979), with the lower `s` (EIP-2, BIP-62). */
export function signDigest(digest: Uint8Array, key: PrivateKey): RecoverableSignature {
  const bytes = sign(digest, key, { prehash: false, format: 'recovered' });
  return { r: hexOf(bytes.subarray(1, 33)), s: hexOf(bytes.subarray(33)), yParity: bytes[0]! };
}

/** The public key (65 bytes) that made a signature of 32 bytes; undefined for an invalid one, and for one with the higher `s`. */
export function recoverKey(
  digest: Uint8Array,
  { r, s, yParity }: RecoverableSignature,
): Uint8Array | undefined {
  try {
    const signature = new Signature(BigInt(r), BigInt(s), yParity);
    if (signature.hasHighS()) return undefined;
    const key = recoverPublicKey(signature.toBytes('recovered'), digest, { prehash: false });
    return Point.fromBytes(key).toBytes(false);
  } catch {
    return undefined;
  }
}

/** False for 0, and at or above the curve's order. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  return utils.isValidSecretKey(bytes);
}
