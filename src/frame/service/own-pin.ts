/** A service wallet's own PIN: set once, replacing the user's, and afterwards changed in the same way. */
import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import type { HeldWallet, WalletList } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { choosePin } from '../set-up/way-in-flow.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { QuestionView } from '../ui/question-view.ts';
import { listStyles, optionButton, optionCard, optionRow, optionStyles, walletLine } from '../ui/rows.ts';
import { usePin } from '../unlock/ask-pin-flow.ts';
import {
  changeServicePin,
  recover,
  renewCode,
  serviceOf,
  setByPasskey,
  showCode,
} from './service-account-flow.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { iconLock, iconPad } from '../../ui/icons.ts';
import { iconKey } from '../../ui/list-icons.ts';
import { head } from '../ui/head.ts';
import { FrameView, type PlainEvent } from '../ui/view.ts';

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
    if (!wallet.hasCustomPin) {
      const { type } = await frame.stage.open(ownPinQuestion(wallet), own).next('cbf-continue', 'cbf-back');
      if (type === 'cbf-back' || (await setOwnPin(frame, wallet, own))) return;
      continue;
    }
    const view = Object.assign(new OwnPinView(), { wallet });
    const { type } = await frame.stage
      .open(view, own)
      .next('cbf-change', 'cbf-code', 'cbf-forgot', 'cbf-back');
    if (type === 'cbf-back') return;
    if (type === 'cbf-forgot') await recover(frame, own, id);
    else if (type === 'cbf-code') await renewCode(frame, own, wallet);
    else if (await changeServicePin(frame, own, wallet)) frame.stage.shell.say({ text: msg('Saved') });
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

export function ownPinQuestion(wallet: Wallet): QuestionView<'cbf-back' | 'cbf-continue'> {
  return new QuestionView(
    'cbf-back',
    () => ({
      heading: msg(str`Give “${wallet.alias}” its own PIN?`),
      details: html`${walletLine(wallet)}
        <p class="muted">${msg('Only this PIN will open the wallet then, and it gets a recovery code of its own. Your service PIN will not open it any more. This cannot be undone.')}</p>`,
      buttons: [
        { text: msg('Cancel'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Continue'), event: 'cbf-continue', look: 'primary' },
      ],
    }),
    [listStyles, chainStyles, optionStyles],
  );
}

export interface OwnPinEvents {
  /** Change it. */
  'cbf-change': null;
  /** New recovery code. */
  'cbf-code': null;
  /** The PIN is forgotten. */
  'cbf-forgot': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** Offers to change a service wallet's own PIN. */
@customElement('cbf-own-pin')
export class OwnPinView extends FrameView<OwnPinEvents> {
  static override styles = [FrameView.styles, listStyles, chainStyles, optionStyles];

  @property({ attribute: false }) wallet!: Wallet;

  protected override readonly escape = 'cbf-back';

  #button(text: string, event: PlainEvent<OwnPinEvents>, name: string): TemplateResult {
    return optionButton(text, () => this.emit(event), name);
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Own PIN'))} ${walletLine(this.wallet)}
        <p class="muted sm">${msg('Only this PIN opens the wallet. Your service PIN does not.')}</p>
        ${optionCard(html`
          ${optionRow(iconPad(), msg('PIN'), msg('4 to 6 digits'), this.#button(msg('Change'), 'cbf-change', msg('Change PIN')))}
          ${optionRow(iconKey(), msg('Recovery code'), msg('Replaces a forgotten PIN'), this.#button(msg('New'), 'cbf-code', msg('New recovery code')))}
          ${optionRow(iconLock(), msg('PIN forgotten'), msg('Needs this wallet’s recovery code'), this.#button(msg('Recovery code'), 'cbf-forgot', msg('Use recovery code')))}
        `)}`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-own-pin': OwnPinView;
  }
}
