import { invalid } from '../requests/payloads.ts';

/** Throws `request.invalid` at `index` if invalid in BIP-32: 2^31 and above would mean a hardened key. */
export function readIndex(index: number): number {
  if (Number.isInteger(index) && index >= 0 && index < 2 ** 31) return index;
  throw invalid('index', 'must be a whole number from 0 to 2147483647');
}
