/** Recovery phrases in English (https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki). */
import { generateMnemonic, mnemonicToEntropy, mnemonicToSeed, mnemonicToSeedWebcrypto } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { type Issue, RequestInvalidError } from '../../base/errors.ts';
import { invalid } from '../requests/payloads.ts';

/** Every three words carry 32 bits plus one checksum bit. */
const LENGTHS = [12, 15, 18, 21, 24];

export function makePhrase(words: number): string {
  if (!LENGTHS.includes(words)) throw invalid('words', `must be one of ${LENGTHS.join(', ')}`);
  return generateMnemonic(wordlist, (words / 3) * 32);
}

/** Errors name positions, never words: they travel further than a phrase may. */
export async function seedOf(phrase: string, passphrase: string): Promise<Uint8Array> {
  if (typeof phrase !== 'string') throw invalid('phrase', 'must be a text of 12 to 24 words');
  if (typeof passphrase !== 'string') throw invalid('passphrase', 'must be a text, or absent');
  const words = phrase.normalize('NFKD').toLowerCase().trim().split(/\s+/);
  if (!LENGTHS.includes(words.length))
    throw invalid('phrase', `must have 12, 15, 18, 21 or 24 words, has ${words.length}`);
  const unknown = words.flatMap((word, i): Issue[] =>
    wordlist.includes(word)
      ? []
      : [{ path: `phrase.${i}`, message: `word ${i + 1} is not in the English word list` }],
  );
  if (unknown.length) throw new RequestInvalidError(unknown);
  const text = words.join(' ');
  try {
    mnemonicToEntropy(text, wordlist).fill(0);
  } catch {
    // The library's own error may quote the phrase.
    throw invalid('phrase', 'has a wrong checksum: check each word and their order');
  }
  // Pages without HTTPS have no `crypto.subtle`.
  return globalThis.crypto.subtle
    ? mnemonicToSeedWebcrypto(text, passphrase)
    : mnemonicToSeed(text, passphrase);
}
