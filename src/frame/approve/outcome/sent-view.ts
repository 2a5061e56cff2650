import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Amount } from '../../../chains/coin.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import { icon, iconCheck, iconPlus } from '../../../ui/icons.ts';
import { customElement, property } from '../../../ui/decorators.ts';
import { hashStyles, transactionHash } from '../../../ui/copy.ts';
import { msg, str } from '../../../base/localize.ts';
import { explorerLink, hero, statusStyles } from '../../../ui/status.ts';
import { money, rowText } from '../../ui/amount.ts';
import { kv, kvStyles } from '../../ui/kv.ts';
import { sessionFoot, sessionLine } from '../../shell/session-words.ts';
import { FrameView } from '../../ui/view.ts';
import type { PaidWords } from '../drawing/order-drawing.ts';

export interface SentEvents {
  /** Done, Esc. */
  'cbf-done': null;
  /** Back to the site. */
  'cbf-back': null;
  /** Close window. */
  'cbf-close': null;
  /** Save recipient. */
  'cbf-save': null;
}

/** The transaction is in a block. */
@customElement('cbf-sent')
export class SentView extends FrameView<SentEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    hashStyles,
    kvStyles,
    css`
      .kv { margin-block-start: 8px; }
      .badge-round path { stroke-dasharray: 26; animation: draw var(--_t-slow) var(--_ease) both; }
      .badge-round { animation: ring 420ms var(--_ease); }
      .hero .stack { animation: rise var(--_t-slow) var(--_ease) 60ms both; }
      @keyframes draw { from { stroke-dashoffset: 26; } }
      @keyframes ring { from { box-shadow: 0 0 0 0 var(--_success); } to { box-shadow: 0 0 0 14px transparent; } }
      @keyframes rise { from { opacity: 0; transform: translateY(8px); } }
      @media (prefers-reduced-motion: reduce) { .badge-round, .badge-round path, .hero .stack { animation: none; } }
    `,
  ];

  /** `0.25 ETH`; empty when no coin moved. */
  @property() amount = '';
  /** The recipient's name or short address. */
  @property() who = '';
  /** Recipient in full; empty for a new contract. */
  @property({ attribute: false }) to = '';
  /** Short form of `to`. */
  @property({ attribute: false }) toShort = '';
  /** What was swapped, with `who`. */
  @property({ attribute: false }) swap: Summary['swap'];
  /** The amount that the swap actually yielded. */
  @property({ attribute: false }) got: Amount | undefined;
  /** The amount that the swap actually took. */
  @property({ attribute: false }) paid: Amount | undefined;
  /** Of a swap between chains: how far it is, in a sentence. Empty once it is over. */
  @property() underway = '';
  /** It cancelled another transaction. */
  @property({ attribute: false }) cancels?: boolean | undefined;
  /** It paid a signed order, of which these words are. */
  @property({ attribute: false }) order: PaidWords | undefined;
  /** The fee paid, ready to render. */
  @property({ attribute: false }) fee: unknown;
  /** Draws what each amount is worth now, if there are prices. */
  @property({ attribute: false }) worth:
    | Partial<Record<'amount' | 'paid' | 'got' | 'fee', () => unknown>>
    | undefined;
  @property({ attribute: false }) hash = '';
  /** The transaction's page in the explorer; empty without an explorer. */
  @property({ attribute: false }) explorer = '';
  /** The window waits for this site's next request; empty elsewhere. */
  @property() site = '';
  /** When that window opened, in epoch milliseconds. */
  @property({ attribute: false }) since = 0;
  /** The site has not confirmed that it has the answer. */
  @property({ attribute: false }) untold = false;
  /** `1 / 12`: its confirmations, of those that it needs; empty once it has them. */
  @property({ attribute: false }) waits = '';
  /** The recipient has no name in this wallet yet. */
  @property({ attribute: false }) unnamed = false;

  protected override readonly escape = 'cbf-done';

  protected override firstUpdated(changed: PropertyValues<this>): void {
    super.firstUpdated(changed);
    // A short vibration, on phones. Without a previous user gesture, browsers only log a warning.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(10);
  }

  // On every update: the language may have changed.
  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (this.site) this.emit('cbf-subject', { below: sessionLine(this.since) });
    if (changed.get('waits') && !this.waits) this.announce(msg('The network has confirmed the transaction.'));
  }

  /** In a window that stays open, the title says what was sent. */
  #title(): unknown {
    if (this.cancels) return msg('Cancelled');
    if (this.order) return this.order.title;
    if (this.underway) return msg('Sent');
    if (this.swap) return msg('Swapped');
    const amount = html`<bdi dir="ltr">${this.amount}</bdi>`;
    return this.site && this.amount ? msg(html`Sent ${amount}`) : msg('Sent');
  }

  #sentence(): unknown {
    const { amount, who, swap, got, paid, site } = this;
    const isTold = site && !swap && !this.untold;
    if (this.waits && !isTold)
      return html`${msg('Waiting for confirmation')} <bdi dir="ltr">${this.waits}</bdi>`;
    if (this.cancels) return msg('The first transaction can no longer happen. Only the fee was spent.');
    if (isTold)
      return msg(str`${site} has been told. You can go back to it; this window waits for what comes next.`);
    if (this.order) return this.order.text;
    if (this.underway) return this.underway;
    const by = html`<bdi>${who}</bdi>`;
    if (swap) {
      const [input, output] = [rowText(paid ?? swap.input), rowText(got ?? swap.output)];
      if (swap.orderType === 'SELL' ? got : paid)
        return msg(html`${input} for ${output} by ${by}. The network has confirmed it.`);
      return swap.orderType === 'SELL'
        ? msg(html`${input} for at least ${output} by ${by}. The network has confirmed it.`)
        : msg(html`At most ${input} for exactly ${output} by ${by}. The network has confirmed it.`);
    }
    if (!amount) return msg('The network has confirmed the transaction.');
    const shown = html`<bdi dir="ltr">${amount}</bdi>`;
    return who
      ? msg(html`${shown} went to ${by}. The network has confirmed it.`)
      : msg(html`${shown} was sent. The network has confirmed it.`);
  }

  protected override render(): TemplateResult {
    const { amount, to, fee, hash, explorer, site, who, toShort, worth, order } = this;
    const done = html`<button type="button" class="btn primary lg" data-start @click=${() => this.emit('cbf-done')}>
      <span>${order ? order.back : msg('Done')}</span>
    </button>`;
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero('good', iconCheck(), this.#title(), this.#sentence())}
        ${kv([
          order?.row,
          amount && !this.swap && !site
            ? { term: msg('Amount'), value: html`<bdi dir="ltr">${amount}</bdi>`, note: worth?.amount?.() }
            : undefined,
          this.paid ? { term: msg('You paid'), value: money(this.paid), note: worth?.paid?.() } : undefined,
          this.got ? { term: msg('You got'), value: money(this.got), note: worth?.got?.() } : undefined,
          to && !this.cancels
            ? {
                term: msg('To'),
                value:
                  site && who !== toShort
                    ? html`<bdi title=${to}>${who}</bdi>`
                    : html`<span class="addr ${toShort ? 'short' : ''}" title=${to}>${toShort || to}</span>`,
              }
            : undefined,
          fee ? { term: msg('Fee paid'), value: fee, note: worth?.fee?.() } : undefined,
        ])}
        ${hash ? transactionHash(hash, site && explorer) : nothing}
        ${
          this.unnamed
            ? html`<button
                type="button"
                class="btn text"
                @click=${() => this.emit('cbf-save')}
              >${icon(iconPlus(), 's')}<span>${msg('Save recipient')}</span></button>`
            : nothing
        }`,
      foot: site
        ? sessionFoot(site, (by) => this.emit(by), true)
        : explorer
          ? html`<div class="actions even">${explorerLink(explorer)}${done}</div>`
          : done,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-sent': SentView;
  }
}
