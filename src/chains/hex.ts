/** Bytes as `0x…` text, and back. */
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';

export function hexOf(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`;
}

/** Of hex digits after a `0x`, which the caller has checked. Throws for anything else. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return hexToBytes(hex.slice(2));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concatBytes(...parts);
}
