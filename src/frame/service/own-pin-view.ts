import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { msg } from '../../base/localize.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { iconLock, iconPad } from '../../ui/icons.ts';
import { iconKey } from '../../ui/list-icons.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { optionButton, optionCard, optionRow, optionStyles, walletLine } from '../ui/rows.ts';
import { FrameView, type PlainEvent } from '../ui/view.ts';

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
  static override styles = [FrameView.styles, cardStyles, chainStyles, optionStyles];

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
