/** The text of a message, for wallets that sign only text; undefined if it is not text. `data`: `0x` hex of its UTF-8 bytes. */
export function textOf(data: string): string | undefined {
  const bytes = data.slice(2).match(/../g) ?? [];
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)),
    );
  } catch {
    return undefined;
  }
}
