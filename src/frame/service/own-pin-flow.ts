/** A service wallet's own PIN: set once, replacing the user's, and afterwards changed in the same way. */
import { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { HeldWallet, WalletList } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { choosePin } from '../set-up/way-in-flow.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { usePin } from '../unlock/ask-pin-flow.ts';
import { OwnPinView } from './own-pin-view.ts';
import {
  changeServicePin,
  recover,
  renewCode,
  serviceOf,
  setByPasskey,
  showCode,
} from './service-account-flow.ts';

/** Resolves on Back, or once the PIN is set. */
export async function ownPin(
  frame: Frame,
  vault: WalletList,
  { id }: HeldWallet,
  options: OpenOptions,
): Promise<void> {
  const own: OpenOptions = { ...options, own: true, settings: false };
  for (;;) {
    const wallet = await vault.wallet(id);
    // It may have been archived elsewhere, or this device may no longer be enrolled.
    if (!wallet) return;
    const view = Object.assign(new OwnPinView(), { wallet });
    const { type } = await frame.stage
      .open(view, own)
      .next('cbf-continue', 'cbf-change', 'cbf-code', 'cbf-forgot', 'cbf-back');
    switch (type) {
      case 'cbf-back':
        return;
      case 'cbf-continue':
        if (await setOwnPin(frame, wallet, own)) return;
        break;
      case 'cbf-change':
        if (await changeServicePin(frame, own, wallet)) frame.stage.shell.say({ text: msg('Saved') });
        break;
      case 'cbf-code':
        await renewCode(frame, own, wallet);
        break;
      case 'cbf-forgot':
        await recover(frame, own, id);
    }
  }
}

/** False on Back, or if the wallet has meanwhile been given its own PIN elsewhere. */
async function setOwnPin(frame: Frame, wallet: HeldWallet, options: OpenOptions): Promise<boolean> {
  const service = await serviceOf(frame);
  const why = msg('Your service PIN. Then you choose one for this wallet.');
  const set = (pin: string | undefined, next: string) => service.setOwnPin(wallet, pin, next);
  try {
    const code = (await service.pin.state()).passkey
      ? await setByPasskey(frame, options, 'wallet', set)
      : await usePin(frame, service.pin, why, options, (pin) =>
          choosePin(frame, options, 0, (next) => set(pin, next), { purpose: 'wallet' }),
        );
    if (code === undefined) return false;
    await showCode(frame, code, options, { wallet });
    frame.stage.shell.say({ text: msg('Saved') });
    return true;
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== 'request.conflict') throw error;
    return false;
  }
}
