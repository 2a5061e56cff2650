import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import { CARDS, coinOf } from '../../chains/secret-type.ts';
import type { Worth } from '../../prices/prices.ts';
import { figure, numbers } from '../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import '../../ui/copy.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { icon, iconRefresh } from '../../ui/icons.ts';
import { iconArrowDown, iconSend } from '../../ui/list-icons.ts';
import { language, msg, str } from '../../base/localize.ts';
import { amountStyles, digitsOf } from '../ui/amount.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { backButton } from '../ui/head.ts';
import { type CoveredEvents, FrameView } from '../ui/view.ts';
import { worthOf } from '../../ui/worth.ts';
import { DUST_PLACES, type Held, type Holdings, sortHeld, totalOf } from './holdings.ts';
import type { Story } from './activity-flow.ts';
import { activityList, activityListStyles } from './activity-list.ts';
import { type Item, nftGrid, nftStyles } from './nfts.ts';
import './wallet-switch.ts';

export interface PortfolioEvents extends CoveredEvents {
  /** `token`: its contract; absent for the coin. `item`: an NFT. */
  'cbf-send': { token?: string | undefined; item?: Item | undefined };
  'cbf-receive': null;
  /** Rereads everything. */
  'cbf-retry': null;
  /** Switch to another wallet. */
  'cbf-wallet': { id: string };
  /** The NFTs tab was opened. */
  'cbf-nfts': null;
  /** The user turned pictures on or off. */
  'cbf-pictures': { show: boolean };
  /** The activity tab was opened. */
  'cbf-activity': null;
  /** Opens one of its entries in full. */
  'cbf-entry': { id: string };
  /** Back, Esc. */
  'cbf-back': null;
}

export interface Priced {
  currency: string;
  worth(amount: Amount): Worth | undefined;
}

type Tab = 'tokens' | 'nfts' | 'activity';

/** Activity entries drawn before "Show earlier" is pressed. */
const PAGE = 50;

/** Longer totals, in characters, would wrap on the smallest phones. */
const LONGEST = 13;

/** Holdings worth less than this many of the currency's minor units are hidden. */
const DUST_UNITS = 10;

/** Maximum number of hidden tokens drawn: a network may list thousands. */
const MAX_HIDDEN = 200;

/** One wallet's holdings. */
@customElement('cbf-portfolio')
export class PortfolioView extends FrameView<PortfolioEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    chainStyles,
    amountStyles,
    nftStyles,
    activityListStyles,
    css`
      .body { padding-block-start: 10px; }
      .top { display: flex; align-items: center; margin-inline-start: -12px; gap: 2px; }
      /* Not of the row: with that, WebKit makes the view 12 px wider than the window. */
      .top > :last-child { margin-inline-end: -12px; }
      .total { display: grid; gap: 1px; }
      .amount.long { font-size: var(--_fs-2xl); }
      .tiles { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: var(--_s2); }
      .tile { appearance: none; display: grid; justify-items: center; gap: 4px; min-block-size: 56px; padding: 7px 4px 6px; border: 0; border-radius: var(--_r-sm); background: var(--_surface-2); font-size: var(--_fs-sm); font-weight: 560; cursor: pointer; }
      .tile:hover { background: var(--_surface-3); }
      .tile .i { color: var(--_accent-text); }
      .tabs { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 2px; padding-inline: 3px; border-radius: var(--_r-sm); background: var(--_surface-2); box-shadow: inset 0 0 0 1px var(--_border); }
      .tabs button { appearance: none; display: grid; min-block-size: var(--_hit); padding: 3px 0; border: 0; background: none; font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); white-space: nowrap; cursor: pointer; }
      .tabs span { display: grid; place-items: center; border-radius: calc(var(--_r-sm) - 3px); }
      .tabs [aria-selected="true"] { color: var(--_text); }
      .tabs [aria-selected="true"] span { background: var(--_surface); box-shadow: var(--_shadow-1), 0 0 0 1px var(--_border-strong); }
      .card { overflow: hidden; }
      .rows > li > .tok { inline-size: 32px; block-size: 32px; }
      .rows > li.flush { padding: 0; }
      .row { appearance: none; display: flex; align-items: center; gap: var(--_s3); inline-size: 100%; min-block-size: 60px; padding: var(--_s2) var(--_s3); border: 0; background: none; color: inherit; text-align: start; cursor: pointer; }
      .row:hover { background: var(--_surface-2); }
      .row:focus-visible { outline-offset: -3px; border-radius: var(--_r-md); }
      .row > .tok { inline-size: 32px; block-size: 32px; }
      .logo { inline-size: 32px; block-size: 32px; flex: none; border-radius: 50%; object-fit: cover; background: var(--_surface-3); }
      @container frame (max-width: 339px) { .name > .tag { display: none; } }
      .name { display: flex; align-items: center; gap: 6px; }
      .held { position: relative; max-inline-size: 58%; overflow: hidden; text-align: end; line-height: 1.3; font-variant-numeric: tabular-nums; }
      .held > * { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; text-align: match-parent; text-align: -webkit-match-parent; }
      .low { font-weight: 500; color: var(--_text-3); }
      .low.tail { font-size: .72em; }
      .warn { color: var(--_caution); }
      .open { align-self: start; }
      .consent { display: grid; gap: var(--_s2); justify-items: start; padding: var(--_s3); }
      .none { display: grid; gap: 4px; justify-items: center; padding: var(--_s4); text-align: center; }
      .skel { display: block; inline-size: 72px; block-size: 12px; border-radius: 6px; background: var(--_surface-3); animation: appear 120ms 200ms both; }
      .skel.mark { inline-size: 32px; block-size: 32px; border-radius: 50%; }
      .skel.long { inline-size: 104px; block-size: 10px; }
      .skel.short { inline-size: 60px; }
      .skel.sum { inline-size: 150px; block-size: 33px; }
      .skel.note { inline-size: 104px; block-size: 17px; }
      @keyframes appear { from { opacity: 0; } }
      @media (forced-colors: active) {
        .tile, .tabs, .tok, .chain { border: 1px solid CanvasText; }
        .tabs [aria-selected="true"] span { outline: 2px solid Highlight; outline-offset: -2px; }
        .low { color: CanvasText; }
      }
    `,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  /** All selectable wallets, including this one. */
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  /** By wallet id. */
  @property({ attribute: false }) networks: ReadonlyMap<string, Network> = new Map();
  /** Undefined until loaded. */
  @property({ attribute: false }) holdings: Holdings | undefined;
  /** Undefined without a price source. */
  @property({ attribute: false }) prices: Priced | undefined;
  /** Undefined until loaded. */
  @property({ attribute: false }) items: readonly Item[] | undefined;
  /** The items could not be read. */
  @property({ attribute: false }) lost = false;
  /** Undefined until loaded. */
  @property({ attribute: false }) story: Story | undefined;
  /** The user has asked for pictures. */
  @property({ attribute: false }) pictures = false;
  /** Host name of the picture source; empty if they come from the contracts themselves. */
  @property({ attribute: false }) source = '';

  @state() private tab: Tab = 'tokens';
  @state() private all = false;
  @state() private shown = PAGE;

  protected override readonly escape = 'cbf-back';

  get #network(): Network {
    return this.networks.get(this.wallet.id)!;
  }

  /** Returns to the first tab, for another wallet. */
  start(): void {
    this.tab = 'tokens';
    this.all = false;
    this.shown = PAGE;
  }

  #value(amount: Amount): number | undefined {
    return this.prices?.worth(amount)?.value;
  }

  #badge({ amount, logo }: Held): TemplateResult {
    if (!amount.token) return chainBadge(this.wallet.secretType);
    // Any other URL would reveal the viewer to its host.
    if (/^data:image\/|^\/(?![/\\])/.test(logo)) return html`<img class="logo" src=${logo} alt="">`;
    return tokenBadge(amount.symbol);
  }

  #row(held: Held): TemplateResult {
    const { amount, unknown } = held;
    const worth = amount.raw && !unknown ? this.prices?.worth(amount) : undefined;
    // The wallet's own Send supports its coin and the listed tokens.
    const isKnown = amount.token ? !unknown : amount.symbol === coinOf(this.#network).symbol;
    const inside = html`${this.#badge(held)}
      <span class="row-main">
        <span class="strong name"><span class="trunc">${amount.symbol}</span>${unknown ? html`<span class="tag">${msg('Unknown')}</span>` : nothing}</span>
        <span class="sm muted trunc">${this.#about(held)}</span>
      </span>
      <span class="held"><span class="strong">${dimmed(amount)}</span>${
        worth
          ? html`<span class="sm muted">${worthOf(worth, { rounding: 'down', now: this.clock.date() })}</span>`
          : this.prices && amount.raw
            ? html`<span class="sm faint">${msg('no price')}</span>`
            : nothing
      }</span>`;
    return isKnown && amount.raw
      ? html`<li class="flush"><button
        type="button"
        class="row"
        @click=${() => this.emit('cbf-send', { token: amount.token })}
      ><span class="sr">${msg('Send')}</span> ${inside}</button></li>`
      : html`<li title=${unknown ? amount.token! : nothing}>${inside}</li>`;
  }

  #about({ unknown, imitates, unclear, name }: Held): unknown {
    if (imitates !== undefined)
      return html`<span class="warn">${msg(str`Looks like ${imitates}, but is not`)}</span>`;
    if (unclear) return html`<span class="warn">${msg('Its name could mislead')}</span>`;
    if (unknown) return msg('Unknown token');
    return name ? `${name} · ${this.#network.name}` : this.#network.name;
  }

  #unread(mark: TemplateResult, name: string): TemplateResult {
    return html`<li>
      ${mark}<span class="row-main"><span class="strong">${name}</span><span class="sm muted">${msg('could not be read')}</span></span>
      <button type="button" class="btn secondary mini" @click=${() => this.emit('cbf-retry')}>${msg('Retry')}</button>
    </li>`;
  }

  #total(held: readonly Held[], shown: readonly Held[]): TemplateResult | typeof nothing {
    const total = totalOf(held, shown, (amount) => this.#value(amount));
    if (!total || !this.prices) return nothing;
    const { currency, worth } = this.prices;
    const oldest = Math.min(...held.flatMap(({ amount }) => worth(amount)?.at ?? []));
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(oldest);
    const { unpriced } = total;
    const without =
      unpriced === 1 ? msg('one token without a price') : msg(str`${unpriced} tokens without a price`);
    return html`<div class="total">
      ${inCurrency(total.value, currency)}
      <p class="xs faint">${msg(str`Prices at ${time}`)}${unpriced ? html` · ${without}` : nothing}</p>
    </div>`;
  }

  #tokens(): { total: unknown; panel: TemplateResult } {
    const { holdings } = this;
    if (!holdings)
      return {
        total: this.prices
          ? html`<div
            class="total"
            aria-hidden="true"
          ><span class="skel sum"></span><span class="skel note"></span></div>`
          : nothing,
        panel: skeleton(),
      };
    const { held, failed, unread = [] } = holdings;
    const { shown, hidden } = sortHeld(held, (amount) => this.#value(amount), this.#dust().value);
    const noCoin = failed.includes('coins') && !held.some(({ amount }) => !amount.token);
    const noTokens =
      failed.includes('tokens') && !held.some(({ amount, unknown }) => amount.token && !unknown);
    const missing = unread.filter(({ address }) => !held.some(({ amount }) => amount.token === address));
    const kept = failed.length > Number(noCoin) + Number(noTokens) || unread.length > missing.length;
    const { secretType } = this.wallet;
    return {
      total: this.#total(held, shown),
      panel: html`
        ${kept ? html`<p class="err" role="alert">${msg('The network did not answer. Refresh to ask again.')}</p>` : nothing}
        <div class="card"><ul class="rows" aria-label=${msg('Tokens')}>
          ${noCoin ? this.#unread(chainBadge(secretType), coinOf(this.#network).symbol) : nothing}
          ${shown.map((one) => this.#row(one))}
          ${missing.map(({ symbol }) => this.#unread(tokenBadge(symbol), symbol))}
          ${noTokens ? this.#unread(tokenBadge('?'), msg('Tokens')) : nothing}
        </ul></div>
        ${this.#hidden(hidden)}`,
    };
  }

  #dust(): { value: number; text: string } {
    if (!this.prices) return { value: 0, text: figure({ raw: 1n, decimals: DUST_PLACES }) };
    const format = numbers({ style: 'currency', currency: this.prices.currency });
    const value = DUST_UNITS / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
    return { value, text: format.format(value) };
  }

  #hidden(hidden: readonly Held[]): TemplateResult | typeof nothing {
    if (!hidden.length) return nothing;
    const drawn = hidden
      .filter(({ amount }) => amount.raw)
      .concat(hidden.filter(({ amount }) => !amount.raw));
    const left = drawn.length - MAX_HIDDEN;
    const { text } = this.#dust();
    return html`<button
      type="button"
      class="btn text open"
      aria-expanded=${this.all ? 'true' : 'false'}
      @click=${() => (this.all = !this.all)}
    >
        ${msg(str`Hidden (${hidden.length})`)}
      </button>
      ${
        this.all
          ? html`<p class="sm muted">${msg(str`Empty, less than ${text}, or made to look like something else.`)}</p>
            <div class="card"><ul
              class="rows"
              aria-label=${msg('Hidden')}
            >${drawn.slice(0, MAX_HIDDEN).map((one) => this.#row(one))}</ul></div>
            ${left > 0 ? html`<p class="sm muted">${msg(str`${left} more without a balance`)}</p>` : nothing}`
          : nothing
      }`;
  }

  #items(): TemplateResult {
    if (this.lost)
      return html`<div class="card"><ul class="rows">${this.#unread(tokenBadge('?'), msg('NFTs'))}</ul></div>`;
    const { items, pictures, source } = this;
    if (!items) return skeleton();
    if (!items.length)
      return html`<div class="none"><p class="strong">${msg('No NFTs yet')}</p>
        <p class="sm muted">${msg('Items of the collections that this wallet knows are shown here.')}</p></div>`;
    const some = items.some(({ picture }) => picture !== undefined);
    const toggle = (show: boolean) => () => this.emit('cbf-pictures', { show });
    return html`
      ${
        some && !pictures
          ? html`<div class="card consent"><span class="sm muted">${source ? msg(str`Pictures and names come through ${source}, which learns what you look at.`) : msg('Pictures come from the contracts themselves.')}</span>
              <button type="button" class="btn secondary" @click=${toggle(true)}>${msg('Show pictures')}</button></div>`
          : nothing
      }
      ${nftGrid(items, pictures, (item) => this.emit('cbf-send', { item }))}
      ${
        some && pictures
          ? html`<button
            type="button"
            class="btn text open"
            @click=${toggle(false)}
          >${msg('Hide pictures')}</button>`
          : nothing
      }`;
  }

  /** When the activity was first drawn. */
  #since: number | undefined;

  #activity(): TemplateResult {
    if (!this.story) return skeleton();
    const { entries, names, now, explorer } = this.story;
    if (!entries.length)
      return html`<div class="none"><p class="strong">${msg('Nothing yet')}</p>
        <p class="sm muted">${msg('What this wallet sends, receives and signs is listed here.')}</p></div>`;
    const open = ({ id }: { id: string }): void => this.emit('cbf-entry', { id });
    const since = (this.#since ??= now);
    return html`${activityList(entries.slice(0, this.shown), { names, now, open, explorer, since })}
      ${
        entries.length > this.shown
          ? html`<button
            type="button"
            class="btn text open"
            @click=${() => (this.shown += PAGE)}
          >${msg('Show earlier')}</button>`
          : nothing
      }`;
  }

  #select(tab: Tab): void {
    this.tab = tab;
    if (tab === 'nfts' && !this.items) this.emit('cbf-nfts');
    if (tab === 'activity' && !this.story) this.emit('cbf-activity');
  }

  readonly #onTabKey = (event: KeyboardEvent): void => {
    const tabs = [...this.renderRoot.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.indexOf(event.composedPath()[0] as HTMLElement);
    const step = getComputedStyle(this).direction === 'rtl' ? -1 : 1;
    const to = {
      ArrowRight: at + step,
      ArrowLeft: at - step,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs[(to + tabs.length) % tabs.length]?.focus();
  };

  #tabs(): TemplateResult {
    const tab = (name: string, isChosen: boolean, act: () => void): TemplateResult =>
      html`<button
        type="button"
        role="tab"
        aria-selected=${isChosen ? 'true' : 'false'}
        aria-controls="panel"
        tabindex=${isChosen ? 0 : -1}
        @click=${act}
      ><span>${name}</span></button>`;
    return html`<div class="tabs" role="tablist" aria-label=${msg('Contents of the wallet')} @keydown=${this.#onTabKey}>
      ${tab(msg('Tokens'), this.tab === 'tokens', () => this.#select('tokens'))}
      ${CARDS[this.wallet.secretType].nonFungibles ? tab(msg('NFTs'), this.tab === 'nfts', () => this.#select('nfts')) : nothing}
      ${tab(msg('Activity'), this.tab === 'activity', () => this.#select('activity'))}
    </div>`;
  }

  #panel(): { name: string; panel: TemplateResult; total?: unknown; busy: boolean } {
    switch (this.tab) {
      case 'tokens':
        return { name: msg('Tokens'), ...this.#tokens(), busy: !this.holdings };
      case 'nfts':
        return { name: msg('NFTs'), panel: this.#items(), busy: !this.items && !this.lost };
      case 'activity':
        return { name: msg('Activity'), panel: this.#activity(), busy: !this.story };
    }
  }

  protected override render(): TemplateResult {
    const { wallet, wallets, networks } = this;
    const tile = (name: string, mark: TemplateResult, act: () => void) =>
      html`<button type="button" class="tile" @click=${act}>${mark}${name}</button>`;
    const isTokens = this.tab === 'tokens';
    const { name, panel, total, busy } = this.#panel();
    return this.layout({
      body: html`<h1 class="sr" tabindex="-1">${msg('Your wallet')}</h1>
        <div class="top">
          ${backButton(this)}<cbf-wallet-switch
            .wallet=${wallet}
            .wallets=${wallets}
            .networks=${networks}
          ></cbf-wallet-switch>
          <cbf-copy
            .value=${wallet.address}
            .label=${msg(str`Copy address of ${wallet.alias}`)}
            .copied=${msg('Address copied')}
          ></cbf-copy>
        </div>
        ${total ?? nothing}
        ${
          isTokens
            ? html`<div class="tiles">
                ${tile(msg('Send'), icon(iconSend()), () => this.emit('cbf-send', {}))}
                ${tile(msg('Receive'), icon(iconArrowDown()), () => this.emit('cbf-receive'))}
                ${tile(msg('Refresh'), icon(iconRefresh()), () => this.emit('cbf-retry'))}
              </div>`
            : nothing
        }
        ${this.#tabs()}
        <div
          class="stack tight"
          id="panel"
          role="tabpanel"
          aria-label=${name}
          aria-busy=${busy ? 'true' : 'false'}
        >${panel}</div>`,
    });
  }
}

/** Three rows, as high as those that will replace them. */
function skeleton(): TemplateResult {
  const row = html`<li><span class="skel mark"></span><span class="row-main stack tight"><span class="skel"></span><span class="skel long"></span></span><span class="skel short"></span></li>`;
  return html`<p class="sr" role="status">${msg('Reading balances')}</p>
    <div class="card" aria-hidden="true"><ul class="rows">${[row, row, row]}</ul></div>`;
}

/** Six significant digits and up to four dimmed ones; screen readers get all digits. */
function dimmed(amount: Amount): TemplateResult {
  const { lead, head, tail } = digitsOf(amount);
  const exact = figure(amount);
  return html`<bdi dir="ltr" title=${exact}><span aria-hidden="true">${lead ? html`<span class="low">${lead}</span>` : nothing}${head}${tail ? html`<span class="low tail">${tail}</span>` : nothing}</span><span class="sr">${exact}</span></bdi>`;
}

/** `$4,951` and a small `.27`, rounded down to the currency's minor unit. */
function inCurrency(value: number, currency: string): TemplateResult {
  const format = numbers({ style: 'currency', currency });
  const scale = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  const down = Math.floor(Number((value * scale).toPrecision(15))) / scale;
  const parts = format.formatToParts(down);
  const isLong = parts.map((part) => part.value).join('').length > LONGEST;
  return html`<p class="amount ${isLong ? 'long' : ''}">${parts.map(({ type, value: text }) =>
    type === 'decimal' || type === 'fraction' ? html`<small>${text}</small>` : text,
  )}</p>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-portfolio': PortfolioView;
  }
}
