/** The ways to a new PIN for somebody who has forgotten it, over the view that asks for it. */
import { css, html } from 'lit';
import { msg } from '../../base/localize.ts';
import { iconLock } from '../../ui/icons.ts';
import type { PinKeeper } from '../../wallets/types.ts';
import type { Frame, OwnTurn } from '../frame.ts';
import { choosePin, passkeyButton } from './way-in-flow.ts';
import {
  type AskState,
  badgeQuestion,
  type Question,
  type QuestionButton,
  type QuestionView,
} from '../ui/question-view.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { intentToOpen } from '../unlock/ask-pin-flow.ts';
import { unlockOrLeave } from '../unlock/unlock.ts';

type Way = 'cbf-passkey' | 'cbf-restore' | 'cbf-back';

/** Ends on `under`, with a new PIN or without. `tell` gets an empty text for a new one: nothing is wrong any more. */
export async function forgotPin(
  frame: Frame,
  keeper: PinKeeper,
  under: Screen,
  tell: (text: string) => void,
): Promise<void> {
  let turn: OwnTurn | undefined;
  try {
    turn = await frame.stage.asks('settings', under.options);
    const options = { ...under.options, signal: turn.signal, own: true, settings: false };
    if (await findWay(frame, keeper, options)) tell('');
  } catch {
    // Left by Close, or the request ended: what is below decides.
  } finally {
    turn?.end();
    if (!under.options.signal.aborted) frame.stage.show(under);
  }
}

/** False if the PIN is still the forgotten one. */
async function findWay(frame: Frame, keeper: PinKeeper, options: OpenOptions): Promise<boolean> {
  const { recovery, passkey } = await keeper.state();
  if (recovery) {
    const { recover } = await import('../service/service-account-flow.ts');
    return recover(frame, options, recovery.walletId);
  }
  const vault = await frame.vault();
  const view = forgottenPin(passkey);
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-passkey', 'cbf-restore', 'cbf-back');
    if (type === 'cbf-back') return false;
    if (type === 'cbf-restore') {
      const { restore } = await import('./restore.ts');
      if (await restore(frame, vault, options)) return true;
      continue;
    }
    view.state = { busy: true };
    const tell = (error: string): void => {
      view.state = { error };
    };
    const opening = (signal: AbortSignal) => vault.unlockWithPasskey(intentToOpen(options), signal);
    const unlocked = await unlockOrLeave(frame, vault, screen, tell, opening, (late) => late.close());
    if (!unlocked) continue;
    view.state = {};
    try {
      const isChosen = await choosePin(frame, options, 0, async (pin, signal) => {
        await vault.replacePin(unlocked, pin, signal);
        return true;
      });
      if (isChosen) return true;
    } finally {
      unlocked.close();
    }
  }
}

/**
 * What opens this browser's wallet without the PIN: a passkey, if there is one, then the words, which another device may show. The back-up file
 * opens by the same two.
 */
export function forgottenPin(passkey: boolean): QuestionView<Way> {
  const question = ({ busy = false, error }: AskState): Question<Way> => {
    const words: QuestionButton<Way> = {
      text: msg('Restore with 12 words'),
      event: 'cbf-restore',
      look: passkey ? 'secondary' : 'primary',
      disabled: busy,
    };
    return {
      badge: ['warn', iconLock()],
      back: true,
      heading: msg('Forgot PIN?'),
      text: html`${
        passkey
          ? msg('Your passkey or your 12 words open the wallet. Your wallets and coins stay as they are.')
          : msg('Your 12 words open the wallet. Your wallets and coins stay as they are.')
      } ${msg('A device on which this wallet still opens shows the 12 words in its Settings.')}`,
      error,
      buttons: passkey ? [passkeyButton(busy), words] : [words],
      stacked: true,
    };
  };
  return badgeQuestion<Way>(
    'cbf-back',
    question,
    css`
      .hero { margin-block: auto; gap: 12px; }
    `,
  );
}
