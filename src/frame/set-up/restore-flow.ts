import { checkPhrase } from '../../wallets/phrase.ts';
import { msg, str } from '../../base/localize.ts';
import type { KeyStore } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import './phrase-field.ts';
import type { CheckWord } from './phrase-field.ts';
import { choosePin } from './way-in-flow.ts';
import { RestoreView } from './restore-view.ts';

/** For a forgotten or locked PIN: asks for the words of this browser's wallet, then for a new PIN. False on Back. */
export async function restore(frame: Frame, vault: KeyStore, options: OpenOptions): Promise<boolean> {
  const view = Object.assign(new RestoreView(), { check: checkWord });
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-phrase', 'cbf-back');
    if (type === 'cbf-back') return false;
    const { phrase } = view;
    view.error = phraseProblem(phrase) ?? '';
    if (view.error) continue;
    view.busy = true;
    // Verify the words before the user chooses a PIN.
    const owns = await screen.leavable(() => vault.ownsPhrase(phrase));
    view.busy = false;
    if (owns === false)
      view.error = msg('These words belong to another wallet than the one in this browser.');
    if (!owns) continue;
    const use = (pin: string, signal: AbortSignal) => vault.restore(phrase, pin, signal);
    const unlocked = await choosePin(frame, options, 0, use, { drop: (late) => late.close() });
    if (!unlocked) continue;
    unlocked.close();
    return true;
  }
}

const LENGTHS = [12, 15, 18, 21, 24];

/** Undefined for a valid phrase. */
export function phraseProblem(text: string): string | undefined {
  const { words, unknown, valid } = checkPhrase(text);
  if (valid) return undefined;
  const [wrong] = unknown;
  if (wrong) return msg(str`Word ${wrong.index + 1} is not in the word list. Did you mean “${wrong.near}”?`);
  return LENGTHS.includes(words.length)
    ? msg('These words do not belong together. Check each word and their order.')
    : msg(str`A recovery phrase has 12 words; here are ${words.length}.`);
}

/** Looks up a word as it is typed. */
export const checkWord: CheckWord = (word) => checkPhrase(word).unknown[0]?.near ?? true;
