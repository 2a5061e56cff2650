import { canonical } from './canonical.ts';
import { hexDigits } from './hex-digits.ts';

/** SHA-256 in hex of a request as `canonical` writes it. Throws as it does. */
export async function canonicalHash(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonical(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return hexDigits(digest);
}
