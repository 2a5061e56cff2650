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
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon, iconRefresh } from '../../ui/icons.ts';
import { iconArrowDown, iconSend } from '../../ui/list-icons.ts';
import { language, msg, str } from '../../base/localize.ts';
import { amountStyles, digitsOf } from '../ui/amount.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { backButton } from '../ui/head.ts';
import { ALL, networkFilter, networkTag } from '../ui/rows.ts';
import { type CoveredEvents, FrameView } from '../ui/view.ts';
import { listOf } from '../../ui/text.ts';
import { worthOf } from '../../ui/worth.ts';
import {
  DUST_PLACES,
  type Gaps,
  gapsOf,
  type Held,
  type Holdings,
  sortHeld,
  totalOf,
  valuedNetworks,
} from './holdings.ts';
import { entriesOn } from './activity-entries.ts';
import type { Story } from './activity-flow.ts';
import { activityList, activityListStyles } from './activity-list.ts';
import { type Item, nftGrid, nftStyles } from './nfts.ts';
import './wallet-switch.ts';

export interface PortfolioEvents extends CoveredEvents {
  /** `network`: its id; absent: none was chosen. `token`: its contract; absent for the coin. `item`: an NFT. */
  'cbf-send': { network?: string | undefined; token?: string | undefined; item?: Item | undefined };
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
  worth(network: Network, amount: Amount): Worth | undefined;
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
    fieldStyles,
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
  /** Those that the wallet is on, its default one first. */
  @property({ attribute: false }) ownNetworks: readonly Network[] = [];
  /** By id of these networks, as far as read. */
  @property({ attribute: false }) holdings: ReadonlyMap<string, Holdings> = new Map();
  /** Undefined without a price source. */
  @property({ attribute: false }) prices: Priced | undefined;
  /** By network id, as far as read. Undefined until asked for. */
  @property({ attribute: false }) items: ReadonlyMap<string, readonly Item[]> | undefined;
  /** Ids of the networks whose items could not be read. */
  @property({ attribute: false }) lost: ReadonlySet<string> = new Set();
  /** Undefined until loaded. */
  @property({ attribute: false }) story: Story | undefined;
  /** The user has asked for pictures. */
  @property({ attribute: false }) pictures = false;
  /** Host name of the picture source; empty if they come from the contracts themselves. */
  @property({ attribute: false }) source = '';

  @state() private tab: Tab = 'tokens';
  /** Id of the only network that is shown; empty for all. */
  @state() private network = ALL;
  @state() private all = false;
  @state() private shown = PAGE;

  protected override readonly escape = 'cbf-back';

  /** The networks on screen. */
  get #shown(): readonly Network[] {
    const { network } = this;
    return network ? this.ownNetworks.filter(({ id }) => id === network) : this.ownNetworks;
  }

  /** Each row has the name of its network anyway; this is for what has not. */
  get #isOnSeveral(): boolean {
    return this.ownNetworks.length > 1;
  }

  /** Returns to the first tab, for another wallet. */
  start(): void {
    this.tab = 'tokens';
    this.network = ALL;
    this.all = false;
    this.shown = PAGE;
  }

  readonly #value = ({ network, amount }: Held): number | undefined =>
    this.prices?.worth(network, amount)?.value;

  #badge({ amount, logo }: Held): TemplateResult {
    if (!amount.token) return chainBadge(this.wallet.secretType);
    // Any other URL would reveal the viewer to its host.
    if (/^data:image\/|^\/(?![/\\])/.test(logo)) return html`<img class="logo" src=${logo} alt="">`;
    return tokenBadge(amount.symbol);
  }

  #row(held: Held): TemplateResult {
    const { amount, network, unknown } = held;
    const worth = amount.raw && !unknown ? this.prices?.worth(network, amount) : undefined;
    // The wallet's own Send supports its coin and the listed tokens.
    const isKnown = amount.token ? !unknown : amount.symbol === coinOf(network).symbol;
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
        @click=${() => this.emit('cbf-send', { network: network.id, token: amount.token })}
      ><span class="sr">${msg('Send')}</span> ${inside}</button></li>`
      : html`<li title=${unknown ? amount.token! : nothing}>${inside}</li>`;
  }

  #about({ network, unknown, imitates, unclear, name }: Held): unknown {
    if (imitates !== undefined)
      return html`<span class="warn">${msg(str`Looks like ${imitates}, but is not`)}</span>`;
    if (unclear) return html`<span class="warn">${msg('Its name could mislead')}</span>`;
    const on = html`${network.name}${this.#isOnSeveral ? networkTag(network) : nothing}`;
    if (unknown) return this.#isOnSeveral ? html`${msg('Unknown token')} · ${on}` : msg('Unknown token');
    return name ? html`${name} · ${on}` : on;
  }

  /** `network`: given if the wallet is on several, all of which may miss the same. */
  #unread(mark: TemplateResult, name: string, network?: Network): TemplateResult {
    const why = network ? msg(str`${network.name} is unavailable`) : msg('could not be read');
    return html`<li>
      ${mark}<span class="row-main"><span class="strong">${name}</span><span class="sm muted">${why}</span></span>
      <button type="button" class="btn secondary mini" @click=${() => this.emit('cbf-retry')}>${msg('Retry')}${network ? html`<span class="sr"> ${name}, ${network.name}</span>` : nothing}</button>
    </li>`;
  }

  #coinGap(network: Network): TemplateResult {
    const several = this.#isOnSeveral ? network : undefined;
    return this.#unread(chainBadge(network.secretType), coinOf(network).symbol, several);
  }

  /** The rows of what else is missing of one network; where all of it is, the coin's row says so. */
  #gaps({ coins, tokens, unread }: Gaps, network: Network): TemplateResult[] {
    const several = this.#isOnSeveral ? network : undefined;
    const rows = unread.map(({ symbol }) => this.#unread(tokenBadge(symbol), symbol, several));
    if (tokens && !(coins && several)) rows.push(this.#unread(tokenBadge('?'), msg('Tokens'), several));
    return rows;
  }

  /** `reading`, `failed`: the networks whose holdings it lacks, all or some. */
  #total(
    held: readonly Held[],
    shown: readonly Held[],
    { reading, failed }: Record<'reading' | 'failed', readonly Network[]>,
  ): TemplateResult | typeof nothing {
    const valued = new Set(valuedNetworks(this.ownNetworks));
    const isValued = ({ network }: Held): boolean => valued.has(network);
    const counted = held.filter(isValued);
    const total = totalOf(counted, shown.filter(isValued), this.#value);
    if (!total || !this.prices) return nothing;
    const { currency, worth } = this.prices;
    const oldest = Math.min(...counted.flatMap(({ network, amount }) => worth(network, amount)?.at ?? []));
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(oldest);
    const { unpriced } = total;
    const without =
      unpriced === 1 ? msg('one token without a price') : msg(str`${unpriced} tokens without a price`);
    const absent = failed.filter((network) => valued.has(network)).map(({ name }) => name);
    const notes = [
      unpriced ? without : '',
      absent.length ? msg(str`incomplete without ${listOf(absent)}`) : '',
      reading.some((network) => valued.has(network)) ? msg('still reading') : '',
    ].filter(Boolean);
    return html`<div class="total">
      ${inCurrency(total.value, currency)}
      <p class="xs faint">${msg(str`Prices at ${time}`)}${notes.map((note) => ` · ${note}`)}</p>
    </div>`;
  }

  #tokens(): { total: unknown; panel: TemplateResult } {
    const read = this.#shown.flatMap((network) => {
      const holdings = this.holdings.get(network.id);
      return holdings ? [{ network, ...holdings, gaps: gapsOf(holdings) }] : [];
    });
    if (!read.length)
      return {
        total: this.prices
          ? html`<div
            class="total"
            aria-hidden="true"
          ><span class="skel sum"></span><span class="skel note"></span></div>`
          : nothing,
        panel: skeleton(),
      };
    const held = read.flatMap((one) => one.held);
    const home = this.#shown[0]!.id;
    const { shown, hidden } = sortHeld(held, this.#value, this.#dust().value, home);
    const reading = this.#shown.filter(({ id }) => !this.holdings.has(id));
    const isWhole = ({ coins, tokens, unread }: Gaps): boolean => !coins && !tokens && !unread.length;
    const partial = read.filter(({ gaps }) => !isWhole(gaps)).map(({ network }) => network);
    const failed = this.#isOnSeveral ? partial : [];
    const noCoin = read.filter(({ gaps }) => gaps.coins).map(({ network }) => network);
    const stale = read.filter(({ gaps }) => gaps.stale).map(({ network }) => network.name);
    return {
      total: this.#total(held, shown, { reading, failed }),
      panel: html`
        ${stale.length ? html`<p class="err" role="alert">${this.#staleness(stale)}</p>` : nothing}
        <div class="card"><ul class="rows" aria-label=${msg('Tokens')}>
          ${noCoin.filter(({ id }) => id === home).map((network) => this.#coinGap(network))}
          ${shown.map((one) => this.#row(one))}
          ${noCoin.filter(({ id }) => id !== home).map((network) => this.#coinGap(network))}
          ${read.map(({ gaps, network }) => this.#gaps(gaps, network))}
          ${reading.length ? skeletonRow : nothing}
        </ul></div>
        ${this.#hidden(hidden)}`,
    };
  }

  #staleness(names: readonly string[]): string {
    return this.#isOnSeveral
      ? msg(str`No answer from ${listOf(names)}. Refresh to ask again.`)
      : msg('The network did not answer. Refresh to ask again.');
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
    const { pictures, source, lost } = this;
    const all = this.items ?? new Map<string, readonly Item[]>();
    const networks = this.#shown;
    const failed = networks.filter(({ id }) => lost.has(id));
    const failures = failed.length
      ? html`<div class="card"><ul class="rows">${failed.map((network) =>
          this.#unread(tokenBadge('?'), msg('NFTs'), this.#isOnSeveral ? network : undefined),
        )}</ul></div>`
      : nothing;
    const reading = networks.filter(({ id }) => !all.has(id) && !lost.has(id));
    const items = networks.flatMap(({ id }) => all.get(id) ?? []);
    if (!items.length && reading.length) return html`${failures}${skeleton()}`;
    if (!items.length && failed.length) return html`${failures}`;
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
      ${nftGrid(items, pictures, this.#isOnSeveral, (item) => this.emit('cbf-send', { network: item.network.id, item }))}
      ${failures}
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
    const { names, now } = this.story;
    const entries = entriesOn(this.story.entries, this.network);
    if (!entries.length)
      return html`<div class="none"><p class="strong">${msg('Nothing yet')}</p>
        <p class="sm muted">${msg('What this wallet sends, receives and signs is listed here.')}</p></div>`;
    const open = ({ id }: { id: string }): void => this.emit('cbf-entry', { id });
    const since = (this.#since ??= now);
    const named = this.#isOnSeveral;
    return html`${activityList(entries.slice(0, this.shown), { names, now, open, named, since })}
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
        return {
          name: msg('Tokens'),
          ...this.#tokens(),
          busy: this.#shown.some(({ id }) => !this.holdings.has(id)),
        };
      case 'nfts':
        return {
          name: msg('NFTs'),
          panel: this.#items(),
          busy: this.#shown.some(({ id }) => !this.items?.has(id) && !this.lost.has(id)),
        };
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
                ${tile(msg('Send'), icon(iconSend()), () => this.emit('cbf-send', this.network ? { network: this.network } : {}))}
                ${tile(msg('Receive'), icon(iconArrowDown()), () => this.emit('cbf-receive'))}
                ${tile(msg('Refresh'), icon(iconRefresh()), () => this.emit('cbf-retry'))}
              </div>`
            : nothing
        }
        ${this.#tabs()}
        ${networkFilter(this.ownNetworks, this.network, (id) => Object.assign(this, { network: id, shown: PAGE }))}
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

const skeletonRow = html`<li aria-hidden="true"><span class="skel mark"></span><span class="row-main stack tight"><span class="skel"></span><span class="skel long"></span></span><span class="skel short"></span></li>`;

/** Three rows, as high as those that will replace them. */
function skeleton(): TemplateResult {
  return html`<p class="sr" role="status">${msg('Reading balances')}</p>
    <div class="card" aria-hidden="true"><ul class="rows">${[skeletonRow, skeletonRow, skeletonRow]}</ul></div>`;
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
