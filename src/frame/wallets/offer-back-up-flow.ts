import type { HeldWallet, Unsaved, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { noteReminded, wasReminded } from '../ui/backup-reminder.ts';
import { exportWallet } from './export-flow.ts';

/**
 * Offers a backup before a wallet at risk receives anything, whatever else has reminded the user, but after "Remind me later" not again for
 * a day. Resolves whatever the user does.
 */
export async function offerBackUp(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  unsaved: Unsaved,
  options: OpenOptions,
): Promise<void> {
  if (wasReminded(frame.clock.date(), 'offer')) return;
  const [{ backUpQuestion }, { passkey }] = await Promise.all([
    import('./wallet-questions.ts'),
    vault.state(),
  ]);
  const view = backUpQuestion(unsaved, passkey);
  const { type } = await frame.stage
    .open(view, options)
    .next('cbf-show-words', 'cbf-save-file', 'cbf-export', 'cbf-back', 'cbf-close');
  noteReminded(frame.clock.date());
  noteReminded(frame.clock.date(), 'offer');
  if (type === 'cbf-export') {
    return exportWallet(frame, vault, wallet, options);
  }
  if (type === 'cbf-back' || type === 'cbf-close') return;
  const { saveFile, showWords } = await import('../settings/settings-flow.ts');
  if (type === 'cbf-show-words') await showWords(frame, vault, options);
  else await saveFile(frame, vault, options);
}
