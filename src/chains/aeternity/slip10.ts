/** Keys on ed25519 from a seed: https://github.com/satoshilabs/slips/blob/master/slip-0010.md */
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';

const HARDENED = 0x80000000;

interface ExtendedKey {
  key: Uint8Array;
  chainCode: Uint8Array;
}

/** Each step is hardened: ed25519 allows no other. */
export function deriveEd25519(seed: Uint8Array, steps: readonly number[]): ExtendedKey {
  let node = split(hmac(sha512, new TextEncoder().encode('ed25519 seed'), seed));
  for (const step of steps) {
    const data = new Uint8Array(37);
    data.set(node.key, 1);
    new DataView(data.buffer).setUint32(33, step + HARDENED);
    const next = split(hmac(sha512, node.chainCode, data));
    node.key.fill(0);
    data.fill(0);
    node = next;
  }
  return node;
}

function split(bytes: Uint8Array): ExtendedKey {
  return { key: bytes.slice(0, 32), chainCode: bytes.slice(32) };
}
