/** Keys, addresses and signatures. What only creating and importing needs is loaded when they happen. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { getPublicKey, hashes, sign, utils } from '@noble/secp256k1';
import type { PrivateKey } from '../chain.ts';
import { invalid } from '../payloads.ts';
import { checksum } from './address.ts';
import type { EnvelopeSignature } from './envelope.ts';

export function hexOf(bytes: Uint8Array): string {
  let hex = '0x';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((hex.length - 2) / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 + i * 2, 4 + i * 2), 16);
  return bytes;
}

hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** The last 20 bytes of the public key's hash. */
export function address(key: PrivateKey): string {
  const point = getPublicKey(key, false).subarray(1);
  return checksum(hexOf(keccak_256(point).subarray(12)));
}

/** Of 32 bytes. Deterministic (RFC 6979), with the lower `s` (EIP-2). */
export async function signDigest(digest: Uint8Array, key: PrivateKey): Promise<EnvelopeSignature> {
  const bytes = sign(digest, key, { prehash: false, format: 'recovered' });
  return { r: hexOf(bytes.subarray(1, 33)), s: hexOf(bytes.subarray(33)), yParity: bytes[0]! };
}

/** BIP-44: m/44'/60'/0'/0/index of a BIP-39 seed. */
export async function deriveKey(seed: Uint8Array, index: number): Promise<PrivateKey> {
  const { HDKey } = await import('@scure/bip32');
  const root = HDKey.fromMasterSeed(seed);
  const account = root.derive(`m/44'/60'/0'/0/${index}`);
  root.wipePrivateData();
  // BIP-32 leaves a chance of 2^-127 that an index has no key.
  if (!account.privateKey) throw new Error(`No key at index ${index}.`);
  const key = account.privateKey.slice();
  account.wipePrivateData();
  return key;
}

/** 64 hex digits, with or without 0x, or a JSON keystore (version 3) with its password. */
export async function importKey(text: string, password?: string): Promise<PrivateKey> {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const { openKeystore } = await import('./keystore.ts');
    return checked(await openKeystore(trimmed, password), 'key');
  }
  const digits = trimmed.replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]*$/.test(digits))
    throw invalid('key', 'must be 64 hex digits, or the text of a keystore file');
  if (digits.length !== 64) throw invalid('key', `must have 64 hex digits, has ${digits.length}`);
  return checked(bytesOf(`0x${digits}`), 'key');
}

export function exportKey(key: PrivateKey): string {
  return hexOf(key);
}

function checked(key: PrivateKey, path: string): PrivateKey {
  if (!utils.isValidSecretKey(key)) throw invalid(path, 'is not a valid private key');
  return key;
}
