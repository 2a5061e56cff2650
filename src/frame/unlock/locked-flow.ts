import { msg } from '../../base/localize.ts';
import type { PinKeeper, PinState } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { LockedView } from './locked-view.ts';

const loadAccount = () => import('../service/service-account-flow.ts');

/**
 * Shows the lock until it expires, the recovery phrase or code lifts it, or the user goes back to the passkey. Enrols a device that may not
 * sign for its user yet. Rejects with `user.rejected`.
 */
export async function untilOpen(frame: Frame, keeper: PinKeeper, options: OpenOptions): Promise<void> {
  for (;;) {
    const { lockedUntil, recovery, enrolled, passkey } = await keeper.state();
    if (lockedUntil === null || lockedUntil <= frame.clock.date()) {
      if (enrolled === false) await (await loadAccount()).enrol(frame, options);
      return;
    }
    const view = Object.assign(new LockedView(), {
      clock: frame.clock,
      until: lockedUntil,
      recovery,
      passkey,
    });
    const { type } = await frame.stage.open(view, options).next('cbf-restore', 'cbf-unlocked', 'cbf-passkey');
    if (type === 'cbf-passkey') return;
    if (type !== 'cbf-restore') continue;
    if (recovery) await (await loadAccount()).recover(frame, options, recovery.walletId);
    else await (await import('../set-up/restore.ts')).restore(frame, await frame.vault(), options);
  }
}

/** The user completed the device's dialog, but the result does not open the wallet. */
export function passkeyProblem(answered: boolean, { pin, recovery }: PinState): string {
  if (answered) return msg('The passkey answered something else than it was asked. Nothing was signed.');
  if (recovery)
    return msg('This passkey cannot approve here. Remove it in Settings with your recovery code.');
  return pin
    ? msg('This passkey cannot open the wallet. Use your PIN.')
    : msg('This passkey cannot open the wallet. Restore it with your 12 words in Settings.');
}
