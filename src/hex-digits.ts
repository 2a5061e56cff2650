/** Bytes as hex digits, for what pages load first: the library behind `chains/hex.ts` would add 1.4 KiB of brotli. */
export function hexDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
