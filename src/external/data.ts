/** Converts data of requests into the forms that external wallets take. */
import { notSupported } from './external-error.ts';

/** Decodes `0x` hex that a schema has already checked. */
export function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(data.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** A message's text, for wallets that sign only text; undefined if it is not valid UTF-8. `data`: its bytes as `0x` hex. */
export function textOf(data: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(data));
  } catch {
    return undefined;
  }
}

/** For wallets that take messages only as text. */
export function messageText(data: string, name: string): string {
  const text = textOf(data);
  if (text === undefined) throw notSupported(name, 'messages that are not text');
  return text;
}

/** A request in JSON, in which amounts are decimal text. */
export function inJson(request: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(request).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}
