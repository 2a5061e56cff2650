/** Tries a PIN, and handles a wrong one. */
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError } from '../../base/errors.ts';
import { msg, plural, str } from '../../base/localize.ts';
import type { Draft, Node, SignRequest } from '../../chains/terms.ts';
import { chainOf, type Intent } from '../../wallets/passkey-intent.ts';
import type { PinKeeper } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';

/**
 * Runs `work`, which needs the PIN or a passkey: opening the vault, or signing at the service. Undefined if refused; `tell` then got the
 * text to show under the PIN, which is empty after a lock has ended or the passkey dialog was dismissed.
 */
export async function unlock<T>(
  frame: Frame,
  keeper: PinKeeper,
  screen: Screen,
  tell: (text: string) => void,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    switch (error.code) {
      case 'pincode.wrong':
        screen.view.forgotPin = async () => (await loadForgotten()).forgotPin(frame, keeper, screen, tell);
        tell(wrongPin(Number(error.details['attemptsLeft'])));
        return undefined;
      case 'pincode.locked':
        await (await loadLocked()).untilOpen(frame, keeper, screen.options);
        frame.stage.show(screen);
        tell('');
        return undefined;
      case 'user.rejected':
        tell('');
        return undefined;
      default:
        if (error.details['reason'] === 'passkey') {
          const { passkeyProblem } = await import('./locked-flow.ts');
          tell(passkeyProblem(error.details['check'] !== undefined, await keeper.state()));
          return undefined;
        }
        if (!/^(device|passkey|service)\./.test(error.code)) throw error;
        await (await import('../service/service-account-flow.ts')).resolveServiceError(
          frame,
          screen,
          tell,
          error,
        );
        return undefined;
    }
  }
}

/** The same for work that only opens and reads: the user may leave meanwhile, and `drop` gets a late result (`Screen.leavable`). */
export function unlockOrLeave<T>(
  frame: Frame,
  keeper: PinKeeper,
  screen: Screen,
  tell: (text: string) => void,
  work: (signal: AbortSignal) => Promise<T>,
  drop?: (late: T) => void,
): Promise<T | undefined> {
  return unlock(frame, keeper, screen, tell, () => screen.leavable(work, drop) as Promise<T>);
}

export function wrongPin(attemptsLeft: number): string {
  return plural(
    attemptsLeft,
    msg('Wrong PIN. 1 attempt left, then a lock of 15 minutes.'),
    msg(str`Wrong PIN. ${attemptsLeft} attempts left.`),
  );
}

/** If neither PIN nor passkey can be tried, shows why and waits until one can. Rejects with `user.rejected`. */
export async function waitOutLock(frame: Frame, keeper: PinKeeper, options: OpenOptions): Promise<void> {
  const { lockedUntil, enrolled, passkey } = await keeper.state();
  // Wrong PINs do not lock out a passkey: it cannot be guessed.
  if ((lockedUntil !== null && !passkey) || enrolled === false)
    await (await loadLocked()).untilOpen(frame, keeper, options);
}

const loadLocked = () => import('./locked-flow.ts');
const loadForgotten = () => import('../set-up/forgot-pin-flow.ts');

// The intents that a passkey confirms.

/** To send exactly this draft. `own`: started by the user in the wallet. */
export function intentToSend(
  { link }: Frame,
  { id }: Wallet,
  draft: Draft,
  { requestId, own }: OpenOptions,
): Intent {
  return {
    action: 'send',
    walletId: id,
    origin: own ? location.origin : link.origin,
    chain: chainOf(draft.network),
    requestId,
    content: draft,
  };
}

/** To sign exactly this request. */
export function intentToSign(
  { link }: Frame,
  { id }: Wallet,
  { network }: Node,
  request: SignRequest,
  { requestId }: OpenOptions,
): Intent {
  return {
    action: 'sign',
    walletId: id,
    origin: link.origin,
    chain: chainOf(network),
    requestId,
    content: request,
  };
}
