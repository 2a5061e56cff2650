import type { PinKeeper, Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { intentToOpen } from './intent.ts';
import { unlock, waitOutLock } from './unlock.ts';

/** Asks for the passkey or the PIN, for something that the user started in the wallet. Undefined on Back. */
export function askPin(
  frame: Frame,
  vault: Vault,
  text: string,
  options: OpenOptions,
): Promise<Unlocked | undefined> {
  return usePin(
    frame,
    vault,
    text,
    options,
    (pin) => vault.unlock(pin),
    () => vault.unlockWithPasskey(intentToOpen(options), options.signal),
  );
}

/** The same for whoever holds the key: `use` gets the PIN, and again when it was refused. `usePasskey` where one can do it too. */
export async function usePin<T>(
  frame: Frame,
  keeper: PinKeeper,
  text: string,
  options: OpenOptions,
  use: (pin: string) => Promise<T>,
  usePasskey?: () => Promise<T>,
): Promise<T | undefined> {
  await waitOutLock(frame, keeper, options);
  const [{ EnterPinView }, { passkey, pin: hasPin }] = await Promise.all([
    import('./enter-pin-view.ts'),
    keeper.state(),
  ]);
  const view = Object.assign(new EnterPinView(), { text, hasPin, passkey: passkey && !!usePasskey });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type } = await screen.next('cbf-pin', 'cbf-passkey', 'cbf-restore', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    if (type === 'cbf-restore') {
      const { restore } = await import('../set-up/restore-flow.ts');
      await restore(frame, await frame.vault(), options);
      // Whoever has typed the words has chosen a PIN since, and has no passkey to ask for.
      if ((await keeper.state()).pin) Object.assign(view, { hasPin: true, passkey: false });
      frame.stage.show(screen);
      continue;
    }
    view.busy = true;
    const tell = (error: string): void => {
      view.busy = false;
      view.error = error;
    };
    const used = await unlock(frame, keeper, screen, tell, () =>
      type === 'cbf-passkey' && usePasskey ? usePasskey() : use(view.pin),
    );
    if (used !== undefined) return used;
    // What was shown meanwhile makes room.
    frame.stage.show(screen);
  }
}
