import { msg } from '../../base/localize.ts';
import type { KeyStore } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { checkWord, phraseProblem } from './phrase-check.ts';
import { choosePin } from './way-in-flow.ts';

/** For a forgotten or locked PIN: asks for the words of this browser's wallet, then for a new PIN. */
export async function restore(frame: Frame, vault: KeyStore, options: OpenOptions): Promise<void> {
  const [{ RestoreView }, { checkPhrase }] = await Promise.all([
    import('./restore-view.ts'),
    import('../../wallets/phrase.ts'),
  ]);
  const view = Object.assign(new RestoreView(), { check: checkWord(checkPhrase) });
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-phrase', 'cbf-back');
    if (type === 'cbf-back') return;
    const { phrase } = view;
    view.error = phraseProblem(checkPhrase(phrase)) ?? '';
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
    return;
  }
}
