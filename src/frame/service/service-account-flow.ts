/** The user's account at the wallet service: PIN, recovery code, devices, and creating wallets there. */
import type { Wallet } from '../../api/wallet.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { HeldWallet, PinKeeper, ServiceAccess, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { chooseHome } from '../set-up/choose-network-flow.ts';
import { choosePin } from '../set-up/way-in-flow.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { usePin } from '../unlock/ask-pin-flow.ts';
import { unlock } from '../unlock/unlock.ts';
import { EnterCodeView } from './enter-code-view.ts';

export async function serviceOf(frame: Frame): Promise<ServiceAccess> {
  const { service } = await frame.vault();
  if (service) return service;
  throw new ConnectError('token.missing', 'The site no longer gives access to the wallet service.');
}

/** Whether the user has a PIN at the service, without which no device can be enrolled. */
export async function hasAccount({ service }: Vault): Promise<boolean> {
  const account = await service?.account().catch(() => undefined);
  return !!account?.hasMasterPin;
}

/**
 * Enrols this device to sign: with the recovery code plus the PIN, the account's passkey or a new PIN. Rejects with `user.rejected`, also
 * on Back.
 */
export async function enrol(frame: Frame, options: OpenOptions): Promise<void> {
  const service = await serviceOf(frame);
  const { passkey } = await service.pin.state();
  const view = Object.assign(new EnterCodeView(), { use: passkey ? 'device-by-passkey' : 'device' } as const);
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type } = await screen.next('cbf-continue', 'cbf-forgot', 'cbf-back');
    if (type === 'cbf-back') throw new UserRejectedError();
    if (type === 'cbf-forgot') {
      // The code alone enrols this device, with a new PIN; the lost passkey is then only in the way.
      if (await recover(frame, options, undefined, passkey)) return;
      frame.stage.show(screen);
      continue;
    }
    view.busy = true;
    const tell = (text: string): void => {
      view.busy = false;
      view.pinError = text;
    };
    try {
      const { pin, code } = view;
      const done = await unlock(frame, service.pin, screen, tell, async () => {
        await service.enrol(passkey ? undefined : pin, code);
        return true;
      });
      if (done) return;
    } catch (error) {
      view.busy = false;
      view.error = wrongCode(error);
    }
  }
}

/** Handles a service error during an action that needed the user's PIN. Rethrows errors that the user cannot resolve. */
export async function resolveServiceError(
  frame: Frame,
  screen: Screen,
  tell: (text: string) => void,
  error: ConnectError,
): Promise<void> {
  if (error.code === 'service.unreachable')
    return tell(msg('The wallet service does not answer. Try again.'));
  if (error.code === 'passkey.required')
    return tell(msg('Your account now has a passkey, which is needed too. Try again.'));
  if (error.code === 'passkey.invalid')
    return tell(msg('The wallet service did not accept the passkey’s answer. Try again.'));
  if (error.code !== 'device.unknown') throw error;
  await enrol(frame, screen.options);
  frame.stage.show(screen);
  tell('');
}

/**
 * Sets a new PIN with the recovery code, then shows the next code. False on Back. `walletId`: of a wallet with its own PIN.
 * `passkeyLost`: removes the account's passkey, too.
 */
export async function recover(
  frame: Frame,
  options: OpenOptions,
  walletId?: string,
  passkeyLost = false,
): Promise<boolean> {
  const service = await serviceOf(frame);
  const view = new EnterCodeView();
  for (;;) {
    const { type } = await frame.stage.open(view, options).next('cbf-continue', 'cbf-back');
    if (type === 'cbf-back') return false;
    const { code } = view;
    try {
      const next = await choosePin(frame, options, 0, (pin) => service.recover(code, pin, walletId), {
        purpose: walletId === undefined ? 'service' : 'wallet',
      });
      if (next === undefined) continue;
      const wallet = walletId === undefined ? undefined : await (await frame.vault()).wallet(walletId);
      await showCode(frame, next, options, { wallet });
      if (passkeyLost) await service.removePasskey(next);
      return true;
    } catch (error) {
      view.error = wrongCode(error);
    }
  }
}

export function wrongCode(error: unknown): string {
  if (!(error instanceof ConnectError)) throw error;
  switch (error.code) {
    case 'request.invalid':
      return msg('This is not your recovery code. Check it letter by letter.');
    case 'request.rate-limited':
      return msg('Too many tries. Wait a minute, then try again.');
    case 'service.unreachable':
      return msg('The wallet service does not answer. Try again.');
    default:
      throw error;
  }
}

/** Shows the code once and checks the user's copy. Closing counts as "later": Settings can create a new code. */
export async function showCode(
  frame: Frame,
  code: string,
  options: OpenOptions,
  { progressOf = 0, wallet }: { progressOf?: number; wallet?: Wallet | undefined } = {},
): Promise<void> {
  const { RecoveryCodeView } = await import('./recovery-code-view.ts');
  let held = code;
  const view = Object.assign(new RecoveryCodeView(), { reveal: () => held, progressOf, wallet });
  try {
    await frame.stage.open(view, options).next('cbf-finish', 'cbf-later', 'cbf-close');
  } finally {
    held = '';
  }
}

/** Creates a wallet whose key the service holds. Undefined on Back. */
export async function createServiceWallet(
  frame: Frame,
  vault: Vault,
  secretType: SecretType,
  options: OpenOptions,
): Promise<HeldWallet | undefined> {
  const service = await serviceOf(frame);
  const home = await chooseHome(frame, secretType, options);
  if (!home) return undefined;
  const make = (pin: string) => service.createWallet(secretType, pin, home);
  const result = (await hasAccount(vault))
    ? await usePin(frame, pinOnly(service), msg('To create a wallet at the wallet service.'), options, make)
    : await choosePin(frame, options, 2, make, { purpose: 'service' });
  if (result?.recoveryCode) await showCode(frame, result.recoveryCode, options, { progressOf: 2 });
  return result?.wallet;
}

/** For actions that need the user's PIN even if the account has a passkey. */
export const pinOnly = ({ pin }: ServiceAccess): PinKeeper => ({
  state: async () => ({ ...(await pin.state()), passkey: false, pin: true }),
});

/** Keeper of the PIN being changed: the user's, or a wallet's own. */
async function keeperOf(frame: Frame, service: ServiceAccess, wallet?: Wallet): Promise<PinKeeper> {
  return wallet ? (await frame.vault()).holder(wallet) : service.pin;
}

/**
 * Sets a new PIN on an account with a passkey. The PIN is chosen first, because the passkey signs the whole request. `set`: without a PIN,
 * the passkey replaces it. Undefined on Back.
 */
export async function setByPasskey<T>(
  frame: Frame,
  options: OpenOptions,
  purpose: 'service' | 'wallet',
  set: (pin: string | undefined, next: string) => Promise<T>,
): Promise<T | undefined> {
  const { pin: keeper } = await serviceOf(frame);
  const next = await choosePin(frame, options, 0, async (pin) => pin, { purpose });
  if (next === undefined) return undefined;
  const why = msg('To set the PIN that you chose.');
  return usePin(
    frame,
    keeper,
    why,
    options,
    (pin) => set(pin, next),
    () => set(undefined, next),
  );
}

/** Returns whether the PIN was changed. `wallet`: a wallet with its own PIN. */
export async function changeServicePin(
  frame: Frame,
  options: OpenOptions,
  wallet?: Wallet,
): Promise<boolean> {
  const service = await serviceOf(frame);
  const keeper = await keeperOf(frame, service, wallet);
  const purpose = wallet ? 'wallet' : 'service';
  const change = (pin: string | undefined, next: string) =>
    service.changePin(pin, next, wallet).then(() => true);
  if ((await keeper.state()).passkey) return (await setByPasskey(frame, options, purpose, change)) ?? false;
  const why = msg('Your current PIN. Then you choose a new one.');
  const changed = await usePin(frame, keeper, why, options, async (pin) => {
    const done = await choosePin(frame, options, 0, (next) => change(pin, next), { purpose });
    return done ?? false;
  });
  return changed ?? false;
}

/** Replaces the recovery code. `wallet` as in `changeServicePin`. */
export async function renewCode(frame: Frame, options: OpenOptions, wallet?: Wallet): Promise<boolean> {
  const service = await serviceOf(frame);
  const keeper = await keeperOf(frame, service, wallet);
  const why = msg('To get a new recovery code. The old one then stops working.');
  const code = await usePin(
    frame,
    keeper,
    why,
    options,
    (pin) => service.renewCode(pin, wallet),
    () => service.renewCode(undefined, wallet),
  );
  if (code !== undefined) await showCode(frame, code, options, { wallet });
  return code !== undefined;
}

/**
 * Runs `work`, which needs an enrolled device, and enrols this one if the service does not know it. Undefined if the user declines; all
 * other errors are those of `work`.
 */
export async function asEnrolled<T>(
  frame: Frame,
  options: OpenOptions,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== 'device.unknown') throw error;
      if (!(await enrolIfWanted(frame, options))) return undefined;
    }
}

/** False if the user declines. */
export async function enrolIfWanted(frame: Frame, options: OpenOptions): Promise<boolean> {
  try {
    await enrol(frame, options);
    return true;
  } catch (declined) {
    if (options.signal.aborted || !(declined instanceof UserRejectedError)) throw declined;
    return false;
  }
}
