import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { ConnectError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import type { Amount } from '../../chains/coin.ts';
import { addressStyles, fullAddress } from '../../ui/address.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { grouped } from '../../ui/amount-text.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { blockStyles } from '../approve/drawing/blocks.ts';
import { amountStyles, headline } from '../ui/amount.ts';
import { cardStyles, partyStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import { failureDetails, failureText } from './failure.ts';

/** The row of a card that says where the coins go. */
function toItself({ alias, address }: Wallet): TemplateResult {
  return html`<div class="party">
    <dt class="k">${msg('To')}</dt><dd><span class="strong">${msg(str`${alias}, this wallet`)}</span><br />${fullAddress(address)}</dd>
  </div>`;
}

function failed(title: string, error: ConnectError | undefined): TemplateResult | typeof nothing {
  return error
    ? alert('danger', { title, text: failureText(error), action: failureDetails(error) })
    : nothing;
}

export interface CombineOfferEvents {
  /** Combine the coins. */
  'cbf-combine': null;
  /** Not now, Back, Esc. */
  'cbf-back': null;
}

/** Offers to combine coins when there are more than one payment can spend. Nothing is approved here. */
@customElement('cbf-combine-offer')
export class CombineOfferView extends FrameView<CombineOfferEvents> {
  static override styles = [
    FrameView.styles,
    addressStyles,
    alertStyles,
    blockStyles,
    cardStyles,
    partyStyles,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  /** The number of coins. */
  @property({ type: Number }) coins = 0;
  /** Why combining them failed. */
  @property({ attribute: false }) error: ConnectError | undefined;
  @property({ attribute: false }) busy = false;

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Combine coins'))}
        <p>${msg(str`This wallet holds ${grouped(String(this.coins))} coins, and one payment spends only the largest of them.`)}</p>
        <p class="sm muted">${msg(
          'Combining makes one coin of many, by a payment to this wallet itself. It costs a fee, which you see before you approve. If there are more coins than one payment takes, it is offered again.',
        )}</p>
        <dl class="card">
          ${toItself(this.wallet)}
        </dl>
        ${failed(msg('Not combined'), this.error)}`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Not now')}</button>
        <button type="button" class="btn primary lg" ?disabled=${this.busy} @click=${() => this.emit('cbf-combine')}>${msg('Combine')}</button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-combine-offer': CombineOfferView;
  }
}

export interface SweepOfferEvents {
  /** Move it here. */
  'cbf-sweep': null;
  /** Not now, Back, Esc. */
  'cbf-back': null;
}

/** Offers to move coins from the older address of an imported key. Nothing is approved here. */
@customElement('cbf-sweep-offer')
export class SweepOfferView extends FrameView<SweepOfferEvents> {
  static override styles = [
    FrameView.styles,
    addressStyles,
    alertStyles,
    amountStyles,
    blockStyles,
    cardStyles,
    partyStyles,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  /** The other address of the same key. */
  @property() source = '';
  @property({ attribute: false }) amount!: Amount;
  /** Why the coins were not moved. */
  @property({ attribute: false }) error: ConnectError | undefined;
  @property({ attribute: false }) busy = false;

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Coins on the older address'))} ${headline(this.amount)}
        <p class="sm muted">${msg(
          'This key has an older address too, and it holds coins. The wallet shows and spends only what is on its own address.',
        )}</p>
        <dl class="card">
          <div class="party"><dt class="k">${msg('From')}</dt><dd>${fullAddress(this.source)}</dd></div>
          ${toItself(this.wallet)}
        </dl>
        ${failed(msg('Not moved'), this.error)}`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Not now')}</button>
        <button type="button" class="btn primary lg" ?disabled=${this.busy} @click=${() => this.emit('cbf-sweep')}>${msg('Move it here')}</button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-sweep-offer': SweepOfferView;
  }
}
