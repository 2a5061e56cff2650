/**
 * Segwit addresses as text: bech32 for version 0, bech32m for later ones. https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki and
 * bip-0350.mediawiki
 */

export interface SegwitAddress {
  /** `bc`, `ltc`, … */
  prefix: string;
  /** 0 to 31; addresses have at most 16. */
  version: number;
  program: Uint8Array;
}

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_LENGTH = 6;
/** What the whole text comes to, with its checksum. */
const BECH32 = 1;
const BECH32M = 0x2bc830a3;
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

export function encodeSegwit({ prefix, version, program }: SegwitAddress): string {
  const words = [version, ...regroup(program, 8, 5)];
  const sum = remainder(prefix, [...words, ...Array<number>(CHECKSUM_LENGTH).fill(0)]) ^ sumOf(version);
  const checksum = [25, 20, 15, 10, 5, 0].map((shift) => (sum >> shift) & 31);
  return `${prefix}1${[...words, ...checksum].map((word) => LETTERS[word]).join('')}`;
}

/** Undefined for a checksum of the other version's kind, padding of more than four bits or other than zeros, and text that is not bech32. */
export function decodeSegwit(text: string): SegwitAddress | undefined {
  const read = readBech32(text);
  if (!read) return undefined;
  const { prefix, words, sum } = read;
  const [version, ...packed] = words.slice(0, -CHECKSUM_LENGTH);
  if (version === undefined || sum !== sumOf(version)) return undefined;
  const program = Uint8Array.from(regroup(packed, 5, 8));
  const again = regroup(program, 8, 5);
  const isExact = again.length === packed.length && again.every((word, i) => word === packed[i]);
  return isExact ? { prefix, version, program } : undefined;
}

/** Whether it has a checksum of either kind. */
export function hasChecksum(text: string): boolean {
  const sum = readBech32(text)?.sum;
  return sum === BECH32 || sum === BECH32M;
}

function readBech32(text: string): { prefix: string; words: number[]; sum: number } | undefined {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  // Only ASCII: other letters might become one of its letters in lower case. The last 1 separates, as the data has none.
  const [, prefix, data] = (/^[!-~]+$/.test(text) && /^(.+)1([02-9ac-hj-np-z]{6,})$/.exec(lower)) || [];
  if (prefix === undefined || data === undefined) return undefined;
  const words = [...data].map((letter) => LETTERS.indexOf(letter));
  return { prefix, words, sum: remainder(prefix, words) };
}

function sumOf(version: number): number {
  return version === 0 ? BECH32 : BECH32M;
}

function remainder(prefix: string, words: readonly number[]): number {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  let sum = 1;
  for (const word of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...words]) {
    const top = sum >> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [i, generator] of GENERATORS.entries()) if ((top >> i) & 1) sum ^= generator;
  }
  return sum;
}

/** The bits of values of `from` bits as values of `to` bits. Fills up the last one of 5 with zeros, and leaves out what is no whole byte. */
function regroup(values: Iterable<number>, from: 5 | 8, to: 5 | 8): number[] {
  const result: number[] = [];
  let bits = 0;
  let rest = 0;
  for (const value of values) {
    rest = (rest << from) | value;
    for (bits += from; bits >= to; rest &= (1 << bits) - 1) {
      bits -= to;
      result.push(rest >> bits);
    }
  }
  if (to === 5 && bits > 0) result.push(rest << (5 - bits));
  return result;
}
