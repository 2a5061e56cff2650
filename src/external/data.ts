/** Data of requests, as external wallets take it. */
import { notSupported } from './external-error.ts';
import { textOf } from './message-text.ts';

/** Of `0x` hex that a schema has checked. */
export function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(data.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** For wallets that take messages as text alone. */
export function messageText(data: string, name: string): string {
  const text = textOf(data);
  if (text === undefined) throw notSupported(name, 'messages that are not text');
  return text;
}

/** As JSON has it: amounts in decimal digits. */
export function inJson(request: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(request).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}
