import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { shortAddress } from '../../ui/address.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { listOf } from '../../ui/text.ts';
import { msg, str } from '../../base/localize.ts';
import { amountText } from '../ui/amount.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import { type Holding, holding, holdingStyles } from './balances.ts';

export interface ArchiveEvents {
  /** Archive. */
  'cbf-archive': null;
  /** Back, Cancel, Esc. */
  'cbf-back': null;
}

/** Removes a wallet from every list; it can be restored. */
@customElement('cbf-archive')
export class ArchiveView extends FrameView<ArchiveEvents> {
  static override styles = [FrameView.styles, alertStyles, cardStyles, holdingStyles, chainStyles];

  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) balance: Holding | undefined;

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    const { secretType, alias, address } = this.wallet;
    const { balance } = this;
    const left = [balance?.coin, balance?.gas].flatMap((amount) => (amount?.raw ? [amount] : []));
    return this.layout({
      body: html`${head(this, msg(str`Archive “${alias}”?`))}
        <p class="muted">${msg('It leaves your lists and sites no longer see it. Nothing is deleted, and you can bring it back at any time.')}</p>
        <div class="card"><ul class="rows"><li>
          ${chainBadge(secretType)}
          <span class="row-main"><span class="strong">${alias}</span><span class="sm muted">${shortAddress(address)}</span></span>
          ${holding(balance)}
        </li></ul></div>
        ${
          left.length
            ? alert('caution', {
                title: msg(str`This wallet still holds ${listOf(left.map(amountText))}`),
                text: msg('You can send it to another wallet first.'),
              })
            : nothing
        }`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Cancel')}</button>
        <button type="button" class="btn primary lg" @click=${() => this.emit('cbf-archive')}>${msg('Archive')}</button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-archive': ArchiveView;
  }
}
