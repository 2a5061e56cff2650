/** Converts data of requests into the forms that external wallets take. */
import { notSupported } from './external-error.ts';
import { textOf } from './message-text.ts';

/** Decodes `0x` hex that a schema has already checked. */
export function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(data.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** For wallets that take messages only as text. */
export function messageText(data: string, name: string): string {
  const text = textOf(data);
  if (text === undefined) throw notSupported(name, 'messages that are not text');
  return text;
}

/** For JSON: amounts become decimal text. */
export function inJson(request: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(request).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}
