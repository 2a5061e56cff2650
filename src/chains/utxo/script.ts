/** Output scripts, their sizes and those of the inputs that spend them. */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf } from '../../base/bytes.ts';

export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** The public key's hash that a P2WPKH or P2PKH output pays to, with which of them it is. Undefined for others. */
export function keyHashOf(script: string): { segwit: boolean; hash: Uint8Array } | undefined {
  const [, witness, legacy] = /^0x(?:0014([0-9a-f]{40})|76a914([0-9a-f]{40})88ac)$/.exec(script) ?? [];
  const hash = witness ?? legacy;
  return hash === undefined ? undefined : { segwit: witness !== undefined, hash: bytesOf(`0x${hash}`) };
}
