/**
 * Recovery phrases (BIP-39, English, no passphrase). A separate module: the word list loads only to create,
 * show or type one.
 */
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedWebcrypto } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { RequestInvalidError } from '../base/errors.ts';
import type { Bytes } from './records.ts';

export interface PhraseCheck {
  words: string[];
  /** Words that are not in the list, each with the most similar one that is. */
  unknown: { index: number; word: string; near: string }[];
  /** Whether words and checksum are right. */
  valid: boolean;
}

/** For views where a phrase is typed or pasted. Numbers and punctuation between words are ignored. */
export function checkPhrase(text: string): PhraseCheck {
  const words =
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  const unknown = words.flatMap((word, index) =>
    wordlist.includes(word) ? [] : [{ index, word, near: nearest(word) }],
  );
  return { words: [...words], unknown, valid: unknown.length === 0 && hasChecksum(words) };
}

/** Throws `request.invalid` at `phrase`, naming positions, never words: errors travel further than a view. */
export function entropyOf(phrase: string): Bytes {
  const { words, unknown, valid } = checkPhrase(phrase);
  if (unknown.length)
    throw new RequestInvalidError(
      unknown.map(({ index }) => ({
        path: `phrase.${index}`,
        message: `word ${index + 1} is not in the word list`,
      })),
    );
  if (!valid)
    throw new RequestInvalidError([
      {
        path: 'phrase',
        message: [12, 15, 18, 21, 24].includes(words.length)
          ? 'these words do not belong together; check each word and their order'
          : `a recovery phrase has 12 words, here are ${words.length}`,
      },
    ]);
  return mnemonicToEntropy(words.join(' '), wordlist) as Bytes;
}

export function wordsOf(entropy: Uint8Array): string[] {
  return entropyToMnemonic(entropy, wordlist).split(' ');
}

/** The 64 bytes that keys are derived from. Overwrite them with zeros after use. */
export async function seedOf(entropy: Uint8Array): Promise<Bytes> {
  return (await mnemonicToSeedWebcrypto(entropyToMnemonic(entropy, wordlist))) as Bytes;
}

function hasChecksum(words: readonly string[]): boolean {
  try {
    mnemonicToEntropy(words.join(' '), wordlist).fill(0);
    return true;
  } catch {
    return false;
  }
}

function nearest(word: string): string {
  let best = wordlist[0]!;
  let least = Infinity;
  for (const entry of wordlist) {
    const d = distance(word, entry);
    if (d < least) [best, least] = [entry, d];
  }
  return best;
}

/**
 * Levenshtein distance with transpositions; mistakes in the first four letters (which identify the word)
 * weigh more.
 */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length]! + (a.slice(0, 4) === b.slice(0, 4) ? 0 : 0.5);
}
