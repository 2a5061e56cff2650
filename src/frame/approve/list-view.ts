import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import { shortAddress } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import { headlineText, money } from '../ui/amount.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { listStyles } from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';

export interface ListItem {
  wallet: Wallet;
  /** Undefined while the node is queried. */
  summary: Summary | undefined;
}

export interface ListEvents {
  /** Continue to the first approval. */
  'cbf-continue': null;
  'cbf-reject': null;
}

/** Transactions that a site wants sent one after another. Nothing is approved here. */
@customElement('cbf-list')
export class ListView extends FrameView<ListEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    chainStyles,
    css`.name { overflow-wrap: anywhere; }`,
  ];

  @property() site = '';
  @property({ attribute: false }) items: readonly ListItem[] = [];

  protected override readonly escape = 'cbf-reject';

  /** Adds an item's summary once its draft is ready. */
  describe(index: number, summary: Summary): void {
    this.items = this.items.map((item, i) => (i === index ? { ...item, summary } : item));
  }

  #item({ wallet, summary }: ListItem): TemplateResult {
    const title = !summary
      ? msg('Transaction')
      : summary.swap
        ? msg(str`Swap by ${summary.exchange ?? ''}`)
        : summary.kind === 'approval'
          ? msg('Spending limit')
          : (summary.call?.name ?? msg('Send'));
    return html`<li>
      ${chainBadge(wallet.secretType)}
      <span class="row-main">
        <span class="strong name">${title}</span>
        <span class="sm muted">${summary?.to && !summary.parts ? html`${msg('To')} ${summary.exchange ?? shortAddress(summary.to)}` : msg(str`From ${wallet.alias}`)}</span>
      </span>
      ${summary ? html`<span class="num sm strong">${money(headlineText(summary))}</span>` : nothing}
    </li>`;
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`<h1 class="h1" tabindex="-1">${msg(str`${this.items.length} transactions`)}</h1>
        <p class="sm muted">${msg(str`${this.site} wants these done one after the other. You approve each of them.`)}</p>
        <div class="card"><ol class="rows">${this.items.map((item) => this.#item(item))}</ol></div>`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-reject')}>${msg('Reject')}</button>
        <button
          type="button"
          class="btn primary lg"
          @click=${() => this.emit('cbf-continue')}
        >${msg('Continue')}</button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-list': ListView;
  }
}
