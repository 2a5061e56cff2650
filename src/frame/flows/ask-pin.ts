import type { PinKeeper, Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from './frame.ts';
import type { OpenOptions } from './stage.ts';
import { unlock, waitOutLock } from './unlock.ts';

/** Asks for the PIN for something that the user started in the wallet. Undefined on Back. */
export function askPin(
  frame: Frame,
  vault: Vault,
  text: string,
  options: OpenOptions,
): Promise<Unlocked | undefined> {
  return usePin(frame, vault, text, options, (pin) => vault.unlock(pin));
}

/** The same for whoever holds the key: `use` gets the PIN, and again when it was refused. */
export async function usePin<T>(
  frame: Frame,
  keeper: PinKeeper,
  text: string,
  options: OpenOptions,
  use: (pin: string) => Promise<T>,
): Promise<T | undefined> {
  await waitOutLock(frame, keeper, options);
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
    const used = await unlock(frame, keeper, screen, tell, () => use(view.pin));
    if (used !== undefined) return used;
    // What was shown meanwhile makes room.
    frame.stage.show(screen);
  }
}
