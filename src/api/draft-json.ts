/** A prepared transaction as text, so that exactly what was approved in the frame is signed by the service. */

import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** Bigints and bytes are objects with one of these names, which no field of a draft has. */
const BIGINT = '$n';
const BYTES = '$b';

/** `undefined` fields are left out. */
export function draftToJson(draft: object): string {
  return JSON.stringify(draft, (_, value: unknown) => {
    if (typeof value === 'bigint') return { [BIGINT]: String(value) };
    if (value instanceof Uint8Array) return { [BYTES]: bytesToHex(value) };
    return value;
  });
}

/** What it holds is not checked. Throws `SyntaxError` for text that `draftToJson` does not make. */
export function draftFromJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const [name, ...others] = Object.keys(value);
    if (others.length > 0 || (name !== BIGINT && name !== BYTES)) return value;
    const digits = (value as Record<string, unknown>)[name];
    if (typeof digits === 'string') {
      // 2^256 has 78 digits.
      if (name === BIGINT && /^-?\d{1,80}$/.test(digits)) return BigInt(digits);
      if (name === BYTES && /^([0-9a-f]{2})*$/.test(digits)) return hexToBytes(digits);
    }
    throw new SyntaxError(`${name} has a value that it never has`);
  });
}
