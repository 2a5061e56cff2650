/**
 * Private keys of a seed (https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki). A library would bring a second copy of the
 * curve into the frame, for extended public keys that nobody here needs.
 */
import { getPublicKey, Point } from '@noble/secp256k1';

/** Indices from here on are hardened: the key, not the public key, goes into their hash. */
export const HARDENED = 0x80000000;

export interface ExtendedKey {
  key: Uint8Array<ArrayBuffer>;
  chainCode: Uint8Array<ArrayBuffer>;
}

/** The key at a path of indices, with what its children need. */
export async function extendedKey(seed: Uint8Array, path: readonly number[]): Promise<ExtendedKey> {
  let node = halves(await hmac(new TextEncoder().encode('Bitcoin seed'), seed));
  keyNumber(node.key);
  for (const index of path) {
    const parent = node;
    node = await childOf(parent, index);
    parent.key.fill(0);
  }
  return node;
}

/** CKDpriv. */
async function childOf({ key, chainCode }: ExtendedKey, index: number): Promise<ExtendedKey> {
  const data = new Uint8Array(37);
  if (index >= HARDENED) data.set(key, 1);
  else data.set(getPublicKey(key, true));
  new DataView(data.buffer).setUint32(33, index);
  const child = halves(await hmac(chainCode, data));
  data.fill(0);
  const { n } = Point.CURVE();
  const sum = (keyNumber(child.key) + keyNumber(key)) % n;
  const digits = sum.toString(16).padStart(64, '0');
  for (let i = 0; i < 32; i++) child.key[i] = Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16);
  keyNumber(child.key);
  return child;
}

/** BIP-32 leaves a chance of 2^-127 that an index has no key. */
function keyNumber(bytes: Uint8Array): bigint {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  if (number === 0n || number >= Point.CURVE().n) throw new Error('There is no key at this index.');
  return number;
}

function halves(bytes: Uint8Array<ArrayBuffer>): ExtendedKey {
  return { key: bytes.slice(0, 32), chainCode: bytes.slice(32) };
}

async function hmac(key: Uint8Array<ArrayBuffer>, data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const sha512 = { name: 'HMAC', hash: 'SHA-512' };
  const imported = await crypto.subtle.importKey('raw', key, sha512, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, Uint8Array.from(data)));
}
