import type { Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from './frame.ts';
import type { OpenOptions } from './stage.ts';
import { unlock, waitOutLock } from './unlock.ts';

/** Asks for the PIN for something that the user started in the wallet. Undefined on Back. */
export async function askPin(
  frame: Frame,
  vault: Vault,
  text: string,
  options: OpenOptions,
): Promise<Unlocked | undefined> {
  await waitOutLock(frame, vault, options);
  const { EnterPinView } = await import('../views/enter-pin.ts');
  const view = Object.assign(new EnterPinView(), { text });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type } = await screen.next('cbf-pin', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    view.busy = true;
    const tell = (error: string): void => {
      view.busy = false;
      view.error = error;
    };
    const unlocked = await unlock(frame, vault, screen, tell, () => vault.unlock(view.pin));
    if (unlocked) return unlocked;
  }
}
