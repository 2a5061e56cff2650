/** A PIN, and what happens when it is wrong. */
import { ConnectError } from '../../errors.ts';
import { msg, str } from '../../ui/localize.ts';
import type { Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from './frame.ts';
import type { OpenOptions, Screen } from './stage.ts';

/**
 * Opens the vault with what the user gave, a PIN or a passkey. Undefined when it did not open: `tell` was given what to say under
 * the PIN, which is nothing after a lock that is over or a passkey dialog that was dismissed.
 */
export async function unlock(
  frame: Frame,
  vault: Vault,
  screen: Screen,
  tell: (text: string) => void,
  open: () => Promise<Unlocked>,
): Promise<Unlocked | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    switch (error.code) {
      case 'pincode.wrong':
        tell(wrongPin(Number(error.details['attemptsLeft'])));
        return undefined;
      case 'pincode.locked':
        await waitOutLock(frame, vault, screen.options);
        frame.stage.show(screen);
        tell('');
        return undefined;
      case 'user.rejected':
        tell('');
        return undefined;
      default:
        throw error;
    }
  }
}

export function wrongPin(attemptsLeft: number): string {
  return attemptsLeft === 1
    ? msg('Wrong PIN. 1 attempt left.')
    : msg(str`Wrong PIN. ${attemptsLeft} attempts left.`);
}

/** Shows the lock until its time is up or the recovery phrase lifts it. Rejects with `user.rejected`. */
export async function waitOutLock(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  for (;;) {
    const { lockedUntil } = await vault.state();
    if (lockedUntil === null || lockedUntil <= Date.now()) return;
    const { LockedView } = await import('../views/locked.ts');
    const screen = frame.stage.open(Object.assign(new LockedView(), { until: lockedUntil }), options);
    const { type } = await screen.next('cbf-restore', 'cbf-unlocked');
    if (type !== 'cbf-restore') continue;
    const { restore } = await import('./set-up.ts');
    await restore(frame, vault, options);
  }
}
