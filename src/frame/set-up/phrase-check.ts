/** Explains to the user why the input is not a recovery phrase. */
import { msg, str } from '../../base/localize.ts';
import type { PhraseCheck } from '../../wallets/phrase.ts';

const LENGTHS = [12, 15, 18, 21, 24];

/** Undefined for a valid phrase. */
export function phraseProblem({ words, unknown, valid }: PhraseCheck): string | undefined {
  if (valid) return undefined;
  const [wrong] = unknown;
  if (wrong) return msg(str`Word ${wrong.index + 1} is not in the word list. Did you mean “${wrong.near}”?`);
  return LENGTHS.includes(words.length)
    ? msg('These words do not belong together. Check each word and their order.')
    : msg(str`A recovery phrase has 12 words; here are ${words.length}.`);
}

/** Looks up single words, as they are typed. */
export function checkWord(checkPhrase: (text: string) => PhraseCheck): (word: string) => string | true {
  return (word) => checkPhrase(word).unknown[0]?.near ?? true;
}
