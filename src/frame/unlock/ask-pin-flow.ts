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

/** The same for any holder of keys: `use` gets the PIN, again after each refusal. `usePasskey`: if a passkey can do it, too. */
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
      // A user who restored with the words has chosen a PIN, and has no passkey any more.
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
    // Replaces what was shown meanwhile.
    frame.stage.show(screen);
  }
}
