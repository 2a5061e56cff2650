import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Amount } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { rowAmount } from '../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { icon } from '../../ui/icon.ts';
import { iconArrowDown, iconRefresh } from '../../ui/icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { chainStyles } from '../ui/chain-styles.ts';
import { head } from '../ui/head.ts';
import { type CoveredEvents, FrameView } from '../ui/view.ts';
import { walletLine } from '../ui/wallet-line.ts';
import type { DrawWorth } from '../ui/worth.ts';
import { holdingStyles } from './holding.ts';

export interface TokensEvents extends CoveredEvents {
  'cbf-receive': null;
  /** Reads the balances again. */
  'cbf-retry': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** A coin or token of the wallet. */
export interface Held {
  amount: Amount;
  name: string;
}

/** What one wallet holds: its coins, and the tokens that its network lists. */
@customElement('cbf-tokens')
export class TokensView extends FrameView<TokensEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    holdingStyles,
    chainStyles,
    css`
      .tiles { display: grid; grid-template-columns: repeat(2, 1fr); gap: var(--_s2); }
      .tile { appearance: none; display: grid; justify-items: center; gap: 4px; min-block-size: 56px; padding: 9px 4px; border: 0; border-radius: var(--_r-sm); background: var(--_surface-2); font-size: var(--_fs-sm); font-weight: 560; cursor: pointer; }
      .tile:hover { background: var(--_surface-3); }
      .tile .i { color: var(--_accent-text); }
      .rows .tok { inline-size: 32px; block-size: 32px; flex: none; }
      .hidden { align-self: start; }
    `,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) network!: Network;
  /** Undefined until the node has answered. */
  @property({ attribute: false }) held: readonly Held[] | undefined;
  /** The node did not answer. */
  @property({ attribute: false }) failed = false;
  @property({ attribute: false }) worth: DrawWorth | undefined;

  @state() private all = false;

  protected override readonly escape = 'cbf-back';

  #row({ amount, name }: Held): TemplateResult {
    const worth = this.worth?.(this.network, amount);
    return html`<li>
      ${amount.token ? tokenBadge(amount.symbol) : chainBadge(this.wallet.secretType)}
      <span class="row-main"><span class="strong trunc">${amount.symbol}</span><span class="sm muted trunc">${name}</span></span>
      <span class="num held"><span class="strong">${rowAmount(amount)}</span>${worth ? html`<span class="sm muted">${worth}</span>` : nothing}</span>
    </li>`;
  }

  #list(held: readonly Held[]): TemplateResult {
    const some = held.filter(({ amount }) => amount.raw);
    const none = held.filter(({ amount }) => !amount.raw);
    // A wallet without anything has its coin on show.
    const shown = some.length ? some : none.splice(0, 1);
    return html`<div class="card"><ul class="rows" aria-label=${msg('Tokens')}>
        ${[...shown, ...(this.all ? none : [])].map((one) => this.#row(one))}
      </ul></div>
      ${
        none.length
          ? html`<button type="button" class="btn text hidden" aria-expanded=${this.all ? 'true' : 'false'} @click=${() => (this.all = !this.all)}>
              ${msg(str`Hidden (${none.length})`)}
            </button>`
          : nothing
      }`;
  }

  protected override render(): TemplateResult {
    const tile = (name: string, mark: TemplateResult, event: 'cbf-receive' | 'cbf-retry') =>
      html`<button type="button" class="tile" @click=${() => this.emit(event)}>${mark}${name}</button>`;
    return this.layout({
      body: html`${head(this, msg('Tokens'))} ${walletLine(this.wallet)}
        <div class="tiles">
          ${tile(msg('Receive'), icon(iconArrowDown()), 'cbf-receive')} ${tile(msg('Refresh'), icon(iconRefresh()), 'cbf-retry')}
        </div>
        ${this.failed ? html`<p class="err" role="alert">${msg('The network did not answer. Refresh to ask again.')}</p>` : nothing}
        ${this.held ? this.#list(this.held) : this.failed ? nothing : html`<p class="muted" role="status">${msg('Reading balances')}</p>`}`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-tokens': TokensView;
  }
}
