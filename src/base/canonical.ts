/** Whether two requests are the same request: key order and absent fields do not matter, types do (`1`, `"1"` and `1n` differ). */
import { hexDigits } from './bytes.ts';
import { RequestInvalidError } from './errors.ts';

const DEPTH = 32;

/**
 * JSON with sorted keys (as RFC 8785 sorts them), plus `1n` for a bigint, and JavaScript's names for numbers that JSON does not have. Throws
 * `request.invalid` for what no request contains: cycles, class instances, nesting deeper than `depth`. `other` serialises objects that are
 * not plain.
 */
export function canonical(
  value: unknown,
  depth: number = DEPTH,
  other: (value: object) => string = unfit,
): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value) ?? unfit();
  if (depth === 0) return unfit();
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth - 1, other)).join(',')}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return other(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field, depth - 1, other)}`);
  return `{${fields.join(',')}}`;
}

function unfit(): never {
  throw new RequestInvalidError([{ path: '', message: 'a request holds only plain data' }]);
}

/** SHA-256 in hex of a request as `canonical` writes it. Throws as it does. */
export async function canonicalHash(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonical(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return hexDigits(digest);
}
