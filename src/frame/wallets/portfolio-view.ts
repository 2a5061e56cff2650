import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { CARDS } from '../../chains/secret-type.ts';
import { tokenBadge } from '../../ui/chain-badge.ts';
import '../../ui/copy.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon, iconRefresh, iconSettings, iconSwap } from '../../ui/icons.ts';
import { iconArrowDown, iconEye, iconEyeOff, iconSend } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';
import { amountStyles } from '../ui/amount.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { backupNotes } from '../ui/backup-reminder.ts';
import { explanationStyles, whatIsThis } from '../ui/explanations.ts';
import { backButton } from '../ui/head.ts';
import { hideBalances, hidesBalances } from '../ui/hidden-balances.ts';
import { ALL, listStyles, networkFilter, servedNote } from '../ui/rows.ts';
import { type CoveredEvents, FrameView } from '../ui/view.ts';
import type { Unsaved } from '../../wallets/types.ts';
import type { Holdings } from './holdings.ts';
import { entriesOn, type Entry, keyOf } from './activity-entries.ts';
import type { Story } from './activity-flow.ts';
import { activityList, activityListStyles } from './activity-list.ts';
import { type Item, nftGrid, nftStyles } from './nfts.ts';
import { type Priced, skeleton, TokenList, tokenListStyles, unreadRow } from './token-list.ts';
import './wallet-switch.ts';

export interface PortfolioEvents extends CoveredEvents {
  /** `wallet`: the id of one of several. `network`: its id; absent: none was chosen. `token`: its contract; absent for the coin. `item`: an NFT. */
  'cbf-send': {
    wallet?: string | undefined;
    network?: string | undefined;
    token?: string | undefined;
    item?: Item | undefined;
  };
  'cbf-receive': null;
  /** `network`: the id of the only one on screen. */
  'cbf-swap': { network: string | undefined };
  /** Rereads everything. */
  'cbf-retry': null;
  /** Manage wallets, on the wallet's own page. */
  'cbf-manage': null;
  /** Switch to another wallet, or to all of them (`EVERY_WALLET`). */
  'cbf-wallet': { id: string };
  /** The NFTs tab was opened. */
  'cbf-nfts': null;
  /** The user turned pictures on or off. */
  'cbf-pictures': { show: boolean };
  /** The activity tab was opened. */
  'cbf-activity': null;
  /** The activity of all wallets, with a search. */
  'cbf-search': null;
  /** Opens one of its entries in full: its `keyOf`. */
  'cbf-entry': { id: string };
  /** Back, Esc. */
  'cbf-back': null;
}

type Tab = 'tokens' | 'nfts' | 'activity';

/** Activity entries drawn before "Show earlier" is pressed. */
const PAGE = 50;

/** The holdings of one wallet, or of all. */
@customElement('cbf-portfolio')
export class PortfolioView extends FrameView<PortfolioEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    chainStyles,
    amountStyles,
    fieldStyles,
    nftStyles,
    activityListStyles,
    tokenListStyles,
    explanationStyles,
    css`
      .body { padding-block-start: 10px; }
      .top { display: flex; align-items: center; margin-inline-start: -12px; gap: 2px; }
      /* Not of the row: with that, WebKit makes the view 12 px wider than the window. */
      .top > :last-child { margin-inline-end: -12px; }
      .priced { display: flex; align-items: end; justify-content: space-between; }
      /* Beside the last line, whatever the line above. */
      .priced > .btn { margin-block-end: -14px; margin-inline-end: -12px; }
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
      .open { align-self: start; }
      .consent { display: grid; gap: var(--_s2); justify-items: start; padding: var(--_s3); }
      .none { display: grid; gap: 4px; justify-items: center; padding: var(--_s4); text-align: center; }
      @media (forced-colors: active) {
        .tile, .tabs, .tok, .chain { border: 1px solid CanvasText; }
        .tabs [aria-selected="true"] span { outline: 2px solid Highlight; outline-offset: -2px; }
      }
    `,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  /** This is the wallet's own page, which has nothing to go back to. */
  @property({ attribute: false }) home = false;
  /** What the wallets lack that are not backed up: the page says what to do about them. */
  @property({ attribute: false }) unsaved: readonly Unsaved[] = [];
  /** Names of the sites that have the user's wallets of the service: the page says that these are there. */
  @property({ attribute: false }) servedAt: readonly string[] = [];
  /** The browser has promised to keep its storage. */
  @property({ attribute: false }) kept = true;
  /** Shows what is in all wallets, not in `wallet` alone. */
  @property({ attribute: false }) all = false;
  /** All selectable wallets, including this one. */
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  /** By wallet id. */
  @property({ attribute: false }) networks: ReadonlyMap<string, Network> = new Map();
  /** Those that the wallet is on, its default one first. */
  @property({ attribute: false }) ownNetworks: readonly Network[] = [];
  /** Whether something can be swapped there. */
  trades: (network: Network) => boolean = ({ exchanges }) => !!exchanges?.length;
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
  @state() private unfolded = false;
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
    this.unfolded = false;
    this.shown = PAGE;
  }

  readonly #retry = (): void => this.emit('cbf-retry');

  #tokens(): TokenList {
    return new TokenList({
      networks: this.ownNetworks,
      shown: this.#shown,
      holdings: this.holdings,
      prices: this.prices,
      clock: this.clock,
      all: this.unfolded,
      toggle: () => (this.unfolded = !this.unfolded),
      send: (held) =>
        this.emit('cbf-send', {
          wallet: held.wallet?.id,
          network: held.network.id,
          token: held.amount.token,
        }),
      retry: this.#retry,
    });
  }

  #items(): TemplateResult {
    const { pictures, source, lost } = this;
    const all = this.items ?? new Map<string, readonly Item[]>();
    const networks = this.#shown;
    const failed = networks.filter(({ id }) => lost.has(id));
    const failures = failed.length
      ? html`<div class="card"><ul class="rows">${failed.map((network) =>
          unreadRow(tokenBadge('?'), msg('NFTs'), this.#isOnSeveral ? network : undefined, this.#retry),
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
    const search = html`<button
      type="button"
      class="btn text open"
      @click=${() => this.emit('cbf-search')}
    >${msg('Search, filter, export')}</button>`;
    if (!entries.length)
      return html`${search}<div class="none"><p class="strong">${msg('Nothing yet')}</p>
        <p class="sm muted">${msg('What this wallet sends, receives and signs is listed here.')}</p></div>`;
    const open = (entry: Entry): void => this.emit('cbf-entry', { id: keyOf(entry) });
    const since = (this.#since ??= now);
    const named = this.#isOnSeveral;
    return html`${search}
      ${activityList(entries.slice(0, this.shown), { names, now, open, named, mixed: this.all, since })}
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
      ${CARDS[this.wallet.secretType].nonFungibles && !this.all ? tab(msg('NFTs'), this.tab === 'nfts', () => this.#select('nfts')) : nothing}
      ${tab(msg('Activity'), this.tab === 'activity', () => this.#select('activity'))}
    </div>`;
  }

  #panel(tokens: TemplateResult): { name: string; panel: TemplateResult; busy: boolean } {
    switch (this.tab) {
      case 'tokens':
        return {
          name: msg('Tokens'),
          panel: tokens,
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

  #eye(): TemplateResult {
    const isHiding = hidesBalances();
    return html`<button
      type="button"
      class="btn icon"
      aria-label=${isHiding ? msg('Show balances') : msg('Hide balances')}
      @click=${() => {
        hideBalances(!isHiding);
        this.announce(isHiding ? msg('Balances are shown') : msg('Balances are hidden'));
        this.requestUpdate();
      }}
    >${icon(isHiding ? iconEye() : iconEyeOff())}</button>`;
  }

  protected override render(): TemplateResult {
    const { wallet, wallets, networks, all, home } = this;
    const tile = (name: string, mark: TemplateResult, act: () => void) =>
      html`<button type="button" class="tile" @click=${act}>${mark}${name}</button>`;
    const tokens = this.#tokens().draw();
    const { name, panel, busy } = this.#panel(tokens.panel);
    const refresh = html`<button type="button" class="btn icon" aria-label=${msg('Refresh')} @click=${this.#retry}>${icon(iconRefresh())}</button>`;
    const isPriced = tokens.total !== nothing;
    return this.layout({
      body: html`<h1 class="sr" tabindex="-1">${msg('Your wallet')}</h1>
        <div class="top">
          ${home ? nothing : backButton(this)}<cbf-wallet-switch
            .wallet=${all ? undefined : wallet}
            .wallets=${wallets}
            .networks=${networks}
            .all=${home && wallets.length > 1}
          ></cbf-wallet-switch>
          ${this.#eye()}
          ${isPriced ? nothing : refresh}
          ${
            all
              ? nothing
              : html`<cbf-copy
                .value=${wallet.address}
                .label=${msg(str`Copy address of ${wallet.alias}`)}
                .copied=${msg('Address copied')}
              ></cbf-copy>`
          }
        </div>
        ${isPriced ? html`<div class="priced">${tokens.total}${refresh}</div>` : nothing}
        <div class="tiles">
          ${tile(msg('Send'), icon(iconSend()), () => this.emit('cbf-send', this.network ? { network: this.network } : {}))}
          ${tile(msg('Receive'), icon(iconArrowDown()), () => this.emit('cbf-receive'))}
          ${
            this.#shown.some((network) => this.trades(network))
              ? tile(msg('Swap'), icon(iconSwap()), () =>
                  this.emit('cbf-swap', { network: this.network || undefined }),
                )
              : nothing
          }
        </div>
        ${this.#tabs()}
        ${networkFilter(this.ownNetworks, this.network, (id) => Object.assign(this, { network: id, shown: PAGE }))}
        <div
          class="stack tight"
          id="panel"
          role="tabpanel"
          aria-label=${name}
          aria-busy=${busy ? 'true' : 'false'}
        >${panel}</div>
        ${whatIsThis(msg('Everything that this wallet holds, on all its networks. Nobody can move any of it without your PIN or passkey, and sites see only the wallets that you link to them.'))}
        ${
          home
            ? html`${servedNote(this.servedAt)}${backupNotes(this.unsaved, this.kept)}<button
              type="button"
              class="btn secondary block"
              @click=${() => this.emit('cbf-manage')}
            >${icon(iconSettings(), 's')}<span>${msg('Manage wallets')}</span></button>`
            : nothing
        }`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-portfolio': PortfolioView;
  }
}
