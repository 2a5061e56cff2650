/** A message's text, for wallets that sign only text; undefined if it is not valid UTF-8. `data`: its bytes as `0x` hex. */
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
