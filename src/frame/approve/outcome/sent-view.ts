import { css, html, nothing, type TemplateResult } from 'lit';
import { iconCheck } from '../../../ui/approval-icons.ts';
import { customElement, property } from '../../../ui/decorators.ts';
import { hashStyles, transactionHash } from '../../../ui/hash.ts';
import { msg } from '../../../ui/localize.ts';
import { statusStyles } from '../../../ui/status-styles.ts';
import { hero, explorerLink } from '../../../ui/status.ts';
import { kv, kvStyles } from '../../ui/kv.ts';
import { FrameView } from '../../ui/view.ts';

export interface SentEvents {
  /** Done, Esc. */
  'cbf-done': null;
}

/** The network has the transaction. */
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
  /** Name of the recipient, or its short address. */
  @property() who = '';
  /** Recipient in full; empty for a new contract. */
  @property({ attribute: false }) to = '';
  /** Short form of `to`. */
  @property({ attribute: false }) toShort = '';
  @property() fee = '';
  @property({ attribute: false }) hash = '';
  /** The transaction's page in the explorer; empty without an explorer. */
  @property({ attribute: false }) explorer = '';

  protected override readonly escape = 'cbf-done';

  #sentence(): unknown {
    const { amount, who } = this;
    if (!amount) return msg('The network accepted the transaction.');
    const shown = html`<bdi dir="ltr">${amount}</bdi>`;
    return who ? msg(html`${shown} is on its way to <bdi>${who}</bdi>.`) : msg(html`${shown} is on its way.`);
  }

  protected override render(): TemplateResult {
    const { amount, to, fee, hash, explorer } = this;
    const done = html`<button type="button" class="btn primary lg" data-start @click=${() => this.emit('cbf-done')}>
      <span>${msg('Done')}</span>
    </button>`;
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero('good', iconCheck(), msg('Sent'), this.#sentence())}
        ${kv([
          amount ? { term: msg('Amount'), value: html`<bdi dir="ltr">${amount}</bdi>` } : undefined,
          to
            ? {
                term: msg('To'),
                value: html`<span class="addr ${this.toShort ? 'short' : ''}" title=${to}>${this.toShort || to}</span>`,
              }
            : undefined,
          fee ? { term: msg('Fee paid'), value: html`<bdi dir="ltr">${fee}</bdi>` } : undefined,
        ])}
        ${hash ? transactionHash(hash) : nothing}`,
      foot: explorer ? html`<div class="actions even">${explorerLink(explorer)}${done}</div>` : done,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-sent': SentView;
  }
}
