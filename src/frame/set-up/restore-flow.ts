import { msg } from '../../ui/localize.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { checkWord, phraseProblem } from './phrase-check.ts';
import { choosePin } from './way-in-flow.ts';

/** For a forgotten or locked PIN: asks for the words of this browser's wallet, then for a new PIN. */
export async function restore(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const [{ RestoreView }, { checkPhrase }] = await Promise.all([
    import('./restore-view.ts'),
    import('../../wallets/phrase.ts'),
  ]);
  const view = Object.assign(new RestoreView(), { check: checkWord(checkPhrase) });
  for (;;) {
    const { type } = await frame.stage.open(view, options).next('cbf-phrase', 'cbf-back');
    if (type === 'cbf-back') return;
    const { phrase } = view;
    view.busy = true;
    // Check the words before the user chooses a PIN.
    view.error =
      phraseProblem(checkPhrase(phrase)) ??
      ((await vault.ownsPhrase(phrase))
        ? ''
        : msg('These words belong to another wallet than the one in this browser.'));
    view.busy = false;
    if (view.error) continue;
    const unlocked = await choosePin(frame, options, 0, (pin) => vault.restore(phrase, pin));
    if (!unlocked) continue;
    unlocked.close();
    return;
  }
}
