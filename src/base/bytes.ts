/** Bytes as hex digits and as text, and back, by means of what browsers and Node provide. */

/** Two digits a byte, without `0x`. */
export function hexDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** With `0x`. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${hexDigits(bytes)}`;
}

/** Of hex digits after a `0x`. Throws for anything else. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const digits = hex.slice(2);
  if (digits.length % 2 !== 0 || /[^\da-f]/i.test(digits)) throw new RangeError('not bytes in hex');
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
