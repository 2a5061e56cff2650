import type { Wallet } from '../../api/wallet.ts';
import type { Intent } from '../../wallets/passkey-intent.ts';
import type { KeyStore, PinKeeper, Unlocked } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { unlock, unlockOrLeave, waitOutLock } from './unlock.ts';

/** Asks for the passkey or PIN, for an action that the user started in the wallet. Undefined on Back. */
export function askPin(
  frame: Frame,
  vault: KeyStore,
  text: string,
  options: OpenOptions,
): Promise<Unlocked | undefined> {
  return openFor(frame, vault, text, options, async (unlocked) => unlocked);
}

/**
 * The same, and runs `work` before the view is left. Back cancels that, too, by the signal that `work` gets. The vault is then closed
 * again, as it is whenever `work` fails.
 */
export function openFor<T>(
  frame: Frame,
  vault: KeyStore,
  text: string,
  options: OpenOptions,
  work: (unlocked: Unlocked, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  let unlocked: Unlocked | undefined;
  const workWith = async (opening: Promise<Unlocked>, signal: AbortSignal): Promise<T> => {
    unlocked = await opening;
    try {
      signal.throwIfAborted();
      return await work(unlocked, signal);
    } catch (error) {
      unlocked.close();
      throw error;
    }
  };
  return usePin(
    frame,
    vault,
    text,
    options,
    (pin, signal) => workWith(vault.unlock(pin), signal),
    (signal) => workWith(vault.unlockWithPasskey(intentToOpen(options), signal), signal),
    () => unlocked?.close(),
  );
}

/**
 * The same for any key holder: `use` gets the PIN, and is called again after each refusal. `usePasskey`: if a passkey works, too. `drop`:
 * Back may cancel what has begun; without it the user has to wait for the result.
 */
export async function usePin<T>(
  frame: Frame,
  keeper: PinKeeper,
  text: string,
  options: OpenOptions,
  use: (pin: string, signal: AbortSignal) => Promise<T>,
  usePasskey?: (signal: AbortSignal) => Promise<T>,
  drop?: (late: T) => void,
): Promise<T | undefined> {
  await waitOutLock(frame, keeper, options);
  const [{ EnterPinView }, { passkey, pin: hasPin, recovery }] = await Promise.all([
    import('./enter-pin-view.ts'),
    keeper.state(),
  ]);
  const view = Object.assign(new EnterPinView(), {
    text,
    hasPin,
    passkey: passkey && !!usePasskey,
    withCode: !!recovery,
    final: !drop,
  });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type } = await screen.next('cbf-pin', 'cbf-passkey', 'cbf-restore', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    if (type === 'cbf-restore') {
      if (recovery) await (await import('../service/passkey-flow.ts')).removeLostPasskey(frame, options);
      else await (await import('../set-up/restore.ts')).restore(frame, await frame.vault(), options);
      // A user who restored with the words has chosen a PIN and no longer has a passkey.
      if ((await keeper.state()).pin) Object.assign(view, { hasPin: true, passkey: false });
      frame.stage.show(screen);
      continue;
    }
    view.busy = true;
    const tell = (error: string): void => {
      view.busy = false;
      view.error = error;
    };
    const work = (signal: AbortSignal): Promise<T> =>
      type === 'cbf-passkey' && usePasskey ? usePasskey(signal) : use(view.pin, signal);
    const result = await (drop
      ? unlockOrLeave(frame, keeper, screen, tell, work, drop)
      : unlock(frame, keeper, screen, tell, () => work(options.signal)));
    if (result !== undefined) return result;
    // Replaces whatever was shown meanwhile.
    frame.stage.show(screen);
  }
}

// The intents that a passkey confirms there.

export function intentToExport({ id, secretType }: Wallet, options: OpenOptions): Intent {
  return { ...intentToOpen(options), action: 'export', walletId: id, chain: secretType };
}

/** For an action started in the wallet that neither sends nor signs. */
export function intentToOpen({ requestId }: OpenOptions): Intent {
  return {
    action: 'open',
    walletId: '',
    origin: location.origin,
    chain: '',
    requestId,
    content: null,
  };
}
