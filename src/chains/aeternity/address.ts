/** Addresses with their checksum, without a signer's weight. */
import { foreignAddress } from '../requests/foreign-address.ts';
import { decode58, hasForm58 } from './encoding.ts';

export function isAddress(text: string): boolean {
  return problemWith(text) === undefined;
}

/** Throws an error whose message follows the field's name. */
export function readAddress(value: unknown): string {
  if (value === undefined || value === null || value === '') throw new Error('is required');
  if (typeof value !== 'string') throw new Error('must be an address as text');
  const problem = problemWith(value);
  if (problem) throw new Error(problem);
  return value;
}

function problemWith(text: string): string | undefined {
  if (text.startsWith('ak_')) {
    if (decode58(text)) return undefined;
    return hasForm58(text)
      ? 'has a wrong checksum: a character is mistyped or missing'
      : 'is not an Aeternity address: after ak_ come about 50 letters and digits, none of them 0, O, I or l';
  }
  // A spend may go to a contract, but runs none of its code: the coins are usually lost.
  if (text.startsWith('ct_')) return 'is a contract; give the ak_ address of an account';
  return (
    foreignAddress(text, 'AETERNITY') ?? 'is not an Aeternity address: ak_ and about 50 letters and digits'
  );
}
