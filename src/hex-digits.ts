/** Bytes as hex digits. For what pages load first: `chains/hex.ts` takes it from a library, which is 1.4 KiB of brotli there. */
export function hexDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
