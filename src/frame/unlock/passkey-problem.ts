import { msg } from '../../base/localize.ts';
import type { PinState } from '../../wallets/types.ts';

/** The user completed the device's dialog, but the result does not open the wallet. */
export function passkeyProblem(answered: boolean, { pin, recovery }: PinState): string {
  if (answered) return msg('The passkey answered something else than it was asked. Nothing was signed.');
  if (recovery)
    return msg('This passkey cannot approve here. Remove it in Settings with your recovery code.');
  return pin
    ? msg('This passkey cannot open the wallet. Use your PIN.')
    : msg('This passkey cannot open the wallet. Restore it with your 12 words in Settings.');
}
