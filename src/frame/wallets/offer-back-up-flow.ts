import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { noteReminded, wasReminded } from './backup-reminder.ts';

/** Offers a backup before a wallet at risk receives anything. Resolves whatever the user does. */
export async function offerBackUp(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  if (wasReminded(frame.clock.date())) return;
  const { OfferBackUpView } = await import('./offer-back-up-view.ts');
  const { type } = await frame.stage
    .open(new OfferBackUpView(), options)
    .next('cbf-show-words', 'cbf-back', 'cbf-close');
  noteReminded(frame.clock.date());
  if (type !== 'cbf-show-words') return;
  const { showWords } = await import('../settings/settings-flow.ts');
  await showWords(frame, vault, options);
}
