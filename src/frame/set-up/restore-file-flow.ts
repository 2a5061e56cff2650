import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import { readBackup } from '../../wallets/backup-file.ts';
import type { SettingsAndBackup, Unlocked } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { checkWord, phraseProblem } from './phrase-check.ts';
import { choosePin } from './way-in-flow.ts';

/** Restores the wallets of a backup file in a browser that has none. Undefined on Back. */
export async function restoreFile(
  frame: Frame,
  vault: SettingsAndBackup,
  options: OpenOptions,
): Promise<Unlocked | undefined> {
  const [{ RestoreFileView }, { checkPhrase }] = await Promise.all([
    import('./restore-file-view.ts'),
    import('../../wallets/phrase.ts'),
  ]);
  const view = Object.assign(new RestoreFileView(), { check: checkWord(checkPhrase) });
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-file', 'cbf-passkey', 'cbf-phrase', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    const { file, phrase } = view;
    try {
      if (type === 'cbf-file') {
        view.passkey = readBackup(file).passkey !== undefined;
        continue;
      }
      view.busy = true;
      view.error = type === 'cbf-phrase' ? (phraseProblem(checkPhrase(phrase)) ?? '') : '';
      if (view.error) continue;
      const opened =
        type === 'cbf-passkey'
          ? await screen.leavable((signal) => vault.restoreFile(file, 'passkey', signal), close)
          : await choosePin(
              frame,
              options,
              0,
              (pin, signal) => vault.restoreFile(file, { phrase, pin }, signal),
              { drop: close },
            );
      if (opened) return opened;
    } catch (error) {
      tell(error);
    } finally {
      view.busy = false;
    }
  }

  function close(late: Unlocked): void {
    late.close();
  }

  function tell(error: unknown): void {
    if (error instanceof RequestInvalidError && error.issues[0]?.path === 'phrase')
      view.error = msg('These words belong to another wallet than the one in the file.');
    else if (error instanceof RequestInvalidError)
      view.fileError = error.issues[0]!.message.includes('newer')
        ? msg('A newer version of the wallet saved this file. Update the wallet.')
        : msg('This is no back-up file of this wallet, or it is damaged.');
    else if (error instanceof ConnectError && error.code === 'user.rejected' && !options.signal.aborted)
      view.error = msg('The passkey was not used. Try again, or type the words.');
    else throw error;
  }
}
