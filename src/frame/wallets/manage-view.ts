import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { holderMark, holderName, shortAddress } from '../../ui/address.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { icon, iconChevronDown, iconCopy, iconPad, iconPlus } from '../../ui/icons.ts';
import {
  iconArchive,
  iconArrowDown,
  iconArrowUp,
  iconChevronEnd,
  iconClock,
  iconEdit,
  iconExport,
  iconImport,
  iconLayers,
  iconMore,
  iconSend,
  iconStar,
} from '../../ui/list-icons.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { msg, plural, str } from '../../base/localize.ts';
import { writeText } from '../../ui/clipboard.ts';
import type { Unsaved } from '../../wallets/types.ts';
import { ConsentView } from '../ui/consent-view.ts';
import { explanationStyles, whatIsThis } from '../ui/explanations.ts';
import { head } from '../ui/head.ts';
import {
  elsewhereCard,
  holderNotes,
  listStyles,
  networkTag,
  ownPageLink,
  type Trouble,
  troubleLine,
  troubleStyles,
} from '../ui/rows.ts';
import { type CoveredEvents, FrameView } from '../ui/view.ts';
import type { DrawWorth } from '../ui/worth.ts';
import { backupMark, backupNotes } from '../ui/backup-reminder.ts';
import { type Holding, holding, holdingStyles, PAGE, rounded } from './balances.ts';
import type { CoinsElsewhere } from './coins-elsewhere.ts';

const UNDO = 8000;

export interface ManageEvents extends CoveredEvents {
  /** A wallet was chosen for the site, by a trusted event on a view in plain sight. */
  'cbf-use': { id: string };
  /** Create wallet. */
  'cbf-create': null;
  /** Import wallet. */
  'cbf-import': null;
  'cbf-primary': { id: string };
  'cbf-up': { id: string };
  'cbf-down': { id: string };
  'cbf-rename': { id: string };
  'cbf-export': { id: string };
  'cbf-activity': { id: string };
  'cbf-receive': { id: string };
  'cbf-send': { id: string };
  /** Opens the wallet's holdings. */
  'cbf-open': { id: string };
  /** Move the coins from the other address of its key. */
  'cbf-sweep': { id: string };
  /** Combine its coins, which are more than one payment can spend. */
  'cbf-combine': { id: string };
  /** For a service wallet. */
  'cbf-own-pin': { id: string };
  'cbf-archive': { id: string };
  /** Also by Undo. */
  'cbf-unarchive': { id: string };
  /** Draws more of the list. */
  'cbf-more': null;
  /** Asks the wallet service again. */
  'cbf-retry': null;
  /** Use the wallets created elsewhere. */
  'cbf-enrol': null;
  /** Show words, in the reminder. */
  'cbf-show-words': null;
  /** Remind me later, in the reminder. */
  'cbf-later': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** The wallets of one chain. Choosing one links it to the site. */
@customElement('cbf-manage')
export class ManageView extends ConsentView<ManageEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    listStyles,
    troubleStyles,
    holdingStyles,
    explanationStyles,
    css`
      .rows > li { position: relative; padding-inline-end: 0; gap: 4px; }
      .about { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
      /* All of the row but its other buttons opens the wallet. */
      .cover { appearance: none; position: absolute; inset: 0; border: 0; border-radius: var(--_r-xs); background: none; cursor: pointer; }
      .cover:hover { background: color-mix(in oklab, var(--_text) 6%, transparent); }
      .cover ~ .about { position: relative; pointer-events: none; }
      .cover ~ .btn { position: relative; }
      .about > .row-main { flex-basis: 96px; }
      .about > .i { color: var(--_text-3); }
      .name { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 6px; }
      .marks { flex: 0 0 100%; display: flex; flex-wrap: wrap; align-items: center; gap: 4px; }
      .use { margin-inline-start: auto; pointer-events: auto; }
      .menu { position: absolute; z-index: 2; inset-inline-end: 4px; inset-block-start: calc(100% - 6px); inline-size: 220px; padding: 6px; border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-3); }
      .menu.up { inset-block: auto calc(100% - 6px); }
      .menu button { appearance: none; display: flex; align-items: center; gap: var(--_s3); inline-size: 100%; min-block-size: var(--_hit); padding: 0 var(--_s3); border: 0; border-radius: var(--_r-xs); background: none; text-align: start; cursor: pointer; }
      .menu button:is(:hover, :focus-visible) { background: var(--_surface-2); }
      .menu .i { color: var(--_text-2); }
      .tag.acc { background: var(--_accent-soft); color: var(--_accent-text); }
      details.more > summary { display: flex; align-items: center; gap: 6px; min-block-size: var(--_hit); font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); cursor: pointer; list-style: none; border-radius: var(--_r-xs); }
      details.more > summary::-webkit-details-marker { display: none; }
      details.more > summary .i { transition: transform var(--_t); }
      details.more[open] > summary .i { transform: rotate(180deg); }
      .undo { display: flex; align-items: center; justify-content: space-between; gap: var(--_s2); padding-inline-start: var(--_s3); }
    `,
  ];

  /** The requesting site; empty where there is none to choose a wallet for. */
  @property() site = '';
  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  @property({ attribute: false }) archived: readonly Wallet[] = [];
  /** Ids of the wallets that are already linked to the site. */
  @property({ attribute: false }) linked: ReadonlySet<string> = new Set();
  @property({ attribute: false }) balances: ReadonlyMap<string, Holding> = new Map();
  /** What wallets have on further networks, as far as known. */
  @property({ attribute: false }) coinsElsewhere: CoinsElsewhere = new Map();
  /** How many of the wallets are drawn. */
  @property({ attribute: false }) shown = PAGE;
  /** Draws the value of an amount on a network; undefined without prices. */
  @property({ attribute: false }) worth: DrawWorth | undefined;
  /** By wallet id; without wallets whose network is gone. */
  @property({ attribute: false }) networks: ReadonlyMap<string, Network> = new Map();
  /** Wallets whose key has coins on its other address. */
  @property({ attribute: false }) sweepable: ReadonlySet<string> = new Set();
  /** Wallets with more coins than one payment can spend. */
  @property({ attribute: false }) crowded: ReadonlySet<string> = new Set();
  /** Wallets that are not backed up, by id. */
  @property({ attribute: false }) unsaved: ReadonlyMap<string, Unsaved> = new Map();
  /** The browser has promised to keep its storage. */
  @property({ attribute: false }) kept = true;
  /** Remind the user of the backup once a wallet without one holds something. */
  @property({ attribute: false }) reminds = false;
  /** The user said "Remind me later" in this opening. */
  later = false;
  /** Remind, too, once all wallets without a backup are together worth this, in the user's currency. */
  @property({ attribute: false }) remindsFrom = Infinity;
  /** The value of an amount, as a number in that currency. */
  @property({ attribute: false }) priced: ((network: Network, amount: Amount) => number) | undefined;
  /** Why service wallets are missing. */
  @property({ attribute: false }) trouble: Trouble;
  /** How many of the chain's service wallets this browser does not recognize as the user's own yet. */
  @property({ attribute: false }) elsewhere = 0;
  /** A wallet just archived, with Undo offered for a while. */
  @property({ attribute: false }) undo: Wallet | undefined;

  @state() private open: string | undefined;
  /** The wallet that the user has just moved: the focus goes with it. */
  #movedId: string | undefined;
  #cancel = (): void => {};

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancel();
  }

  // If a menu is open, Esc only closes the menu.
  protected override readonly escape = 'cbf-back';

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('undo') || !this.undo) return;
    this.announce(msg('Archived. Undo'));
    this.#cancel();
    this.#cancel = this.clock.after(UNDO, () => (this.undo = undefined));
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!changed.has('wallets') || !this.#movedId) return;
    this.#opener(this.#movedId)?.focus();
    this.#movedId = undefined;
  }

  /** Whether there is another wallet to change places with: the primary one stays first, and those of the service have their own order. */
  #canMove({ id }: Wallet, by: -1 | 1): boolean {
    const movable = this.wallets.filter(({ walletType, primary }) => walletType === 'BROWSER' && !primary);
    const at = movable.findIndex((one) => one.id === id);
    return at >= 0 && movable[at + by] !== undefined;
  }

  #move(id: string, by: -1 | 1): void {
    this.#movedId = id;
    this.emit(by < 0 ? 'cbf-up' : 'cbf-down', { id });
  }

  #use(event: Event, id: string): void {
    if (!this.allows(event, !this.busy && this.armed)) return;
    this.busy = true;
    this.emit('cbf-use', { id });
  }

  #row(wallet: Wallet): TemplateResult {
    const { id, alias, address, primary } = wallet;
    const network = this.networks.get(id);
    const open = this.open === id;
    return html`<li>
      ${
        network
          ? html`<button
            type="button"
            class="cover"
            aria-label=${msg(str`Open ${alias}`)}
            aria-description=${holderName(wallet) || nothing}
            @click=${() => this.emit('cbf-open', { id })}
          ></button>`
          : nothing
      }
      <div class="grow about">
        <span class="row-main">
          <span class="name"><span class="strong trunc">${alias}</span>${primary && this.wallets.length > 1 ? html`<span class="tag" role="img" aria-label=${msg(str`${alias} is the primary wallet`)}>${msg('Primary')}</span>` : nothing}</span>
          <span class="sm muted">${shortAddress(address)}${networkTag(network)}</span>
        </span>
        ${network ? html`${holding(this.balances.get(id), (amount) => this.worth?.(network, amount))}${icon(iconChevronEnd(), 's flip')}` : nothing}
        ${this.#marks(wallet)}
      </div>
      <button
        type="button"
        class="btn icon"
        id="more-${id}"
        aria-label=${msg(str`More for ${alias}`)}
        aria-haspopup="menu"
        aria-expanded=${open ? 'true' : 'false'}
        @click=${() => this.#toggle(id)}
        aria-keyshortcuts=${[-1, 1].some((by) => this.#canMove(wallet, by as 1)) ? 'Alt+ArrowUp Alt+ArrowDown' : nothing}
        @keydown=${(event: KeyboardEvent) => this.#onOpenerKey(event, wallet)}
      >${icon(iconMore())}</button>
      ${open ? this.#menu(wallet) : nothing}
    </li>`;
  }

  /** Below a row: what is to be known of the wallet, and the button that gives it to the site. */
  #marks(wallet: Wallet): TemplateResult | typeof nothing {
    const { id } = wallet;
    const [linked, unsaved, places] = [
      this.linked.has(id),
      this.unsaved.get(id),
      this.coinsElsewhere.get(id),
    ];
    const isBare = !linked && !unsaved && !places && wallet.walletType === 'BROWSER';
    if (isBare && !this.site) return nothing;
    const elsewhere =
      places &&
      plural(
        places.length,
        msg(str`Also on ${places[0]!.network.name}`),
        msg(str`Also on ${places.length} networks`),
      );
    return html`<span class="marks">${
      elsewhere ? html`<span class="sm muted">${elsewhere}</span>` : nothing
    }${holderMark(wallet)}${linked ? html`<span class="tag acc">${msg('Linked')}</span>` : nothing}${backupMark(unsaved)}${this.site ? this.#useButton(wallet) : nothing}</span>`;
  }

  /** The first one is what most people want: the only filled button of the view. */
  #useButton({ id, alias }: Wallet): TemplateResult {
    return html`<button
      type="button"
      class="btn mini use ${this.wallets[0]!.id === id ? 'primary' : 'secondary'}"
      aria-label=${msg(str`Use on this site: ${alias}`)}
      ?disabled=${this.busy || !this.networks.has(id)}
      aria-disabled=${this.armed ? nothing : 'true'}
      @click=${(event: Event) => this.#use(event, id)}
    >${msg('Use on this site')}</button>`;
  }

  #menu(wallet: Wallet): TemplateResult {
    const { id, alias } = wallet;
    const network = this.networks.get(id);
    const item = (name: string, mark: TemplateResult, act: () => void): TemplateResult =>
      html`<button type="button" role="menuitem" tabindex="-1" @click=${() => {
        this.open = undefined;
        act();
      }}>${mark}${name}</button>`;
    // The last rows open their menu upwards, so that it stays within the body.
    const index = this.wallets.indexOf(wallet);
    const up = index > 2 && index >= Math.min(this.wallets.length, this.shown) - 2;
    return html`<div class="menu ${up ? 'up' : ''}" role="menu" aria-label=${alias} @keydown=${this.#onMenuKey}>
      ${item(msg('Rename'), icon(iconEdit()), () => this.emit('cbf-rename', { id }))}
      ${item(msg('Copy address'), icon(iconCopy()), () => void this.#copy(wallet))}
      ${
        wallet.primary
          ? nothing
          : item(msg(str`Make ${alias} primary`), icon(iconStar()), () => {
              this.#movedId = id;
              this.emit('cbf-primary', { id });
            })
      }
      ${this.#canMove(wallet, -1) ? item(msg('Move up'), icon(iconArrowUp()), () => this.#move(id, -1)) : nothing}
      ${this.#canMove(wallet, 1) ? item(msg('Move down'), icon(iconArrowDown()), () => this.#move(id, 1)) : nothing}
      ${network ? item(msg('Send'), icon(iconSend()), () => this.emit('cbf-send', { id })) : nothing}
      ${network ? item(msg('Receive'), icon(iconArrowDown()), () => this.emit('cbf-receive', { id })) : nothing}
      ${this.sweepable.has(id) ? item(msg('Move coins here'), icon(iconLayers()), () => this.emit('cbf-sweep', { id })) : nothing}
      ${this.crowded.has(id) ? item(msg('Combine coins'), icon(iconLayers()), () => this.emit('cbf-combine', { id })) : nothing}
      ${network ? item(msg('Activity'), icon(iconClock()), () => this.emit('cbf-activity', { id })) : nothing}
      ${wallet.walletType === 'THREEWAY_SHARED' ? item(msg('Own PIN'), icon(iconPad()), () => this.emit('cbf-own-pin', { id })) : nothing}
      ${item(msg('Export'), icon(iconExport()), () => this.emit('cbf-export', { id }))}
      ${item(msg('Archive'), icon(iconArchive()), () => this.emit('cbf-archive', { id }))}
    </div>`;
  }

  async #copy({ id, address }: Wallet): Promise<void> {
    this.#opener(id)?.focus();
    if (await writeText(address)) this.announce(msg('Address copied'));
  }

  readonly #onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
    const menu = this.renderRoot.querySelector('[role=menu]');
    const opener = this.#opener();
    if (!menu || target === opener || relatedTarget === opener) return;
    // The menu stays open while the user is in another window.
    if (!relatedTarget && !document.hasFocus()) return;
    if (!menu.contains(relatedTarget as Node | null)) this.open = undefined;
  };

  #opener(id = this.open): HTMLElement | null {
    return id ? this.renderRoot.querySelector<HTMLElement>(`[id="more-${id}"]`) : null;
  }

  #toggle(id: string): void {
    this.open = this.open === id ? undefined : id;
    if (!this.open) return;
    void this.updateComplete.then(() => {
      const [first] = this.#items();
      first?.focus();
      // On a small screen, the last items of a long menu may be below the visible body.
      first?.parentElement?.scrollIntoView({ block: 'nearest' });
    });
  }

  #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  #onOpenerKey(event: KeyboardEvent, wallet: Wallet): void {
    const { id } = wallet;
    const { altKey, key } = event;
    if (!/^Arrow(Up|Down)$/.test(key) || this.open === id || (key === 'ArrowUp' && !altKey)) return;
    event.preventDefault();
    const by = key === 'ArrowUp' ? -1 : 1;
    if (altKey) {
      if (this.#canMove(wallet, by)) this.#move(id, by);
      return;
    }
    this.#toggle(id);
  }

  readonly #onMenuKey = (event: KeyboardEvent): void => {
    const items = this.#items();
    const at = items.indexOf(event.composedPath()[0] as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[
      event.key
    ];
    if (to !== undefined) {
      event.preventDefault();
      items[to % items.length]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      this.#opener()?.focus();
      this.open = undefined;
    }
  };

  /** The first wallet that holds something and would be lost with this browser's data. */
  get reminded(): { alias: string; held: Amount } | undefined {
    const atRisk: { alias: string; held: Amount }[] = [];
    let value = 0;
    for (const { id, alias } of this.wallets) {
      const held = this.balances.get(id)?.coin;
      if (!held || held.raw <= 0n || this.unsaved.get(id) !== 'phrase') continue;
      atRisk.push({ alias, held });
      const network = this.networks.get(id);
      value += (network && this.priced?.(network, held)) || 0;
    }
    return this.reminds || value >= this.remindsFrom ? atRisk[0] : undefined;
  }

  #reminder(): TemplateResult | typeof nothing {
    const { reminded } = this;
    if (!reminded) return nothing;
    const { alias, held } = reminded;
    return alert('caution', {
      title: msg(str`${alias} is not backed up`),
      text: msg(html`It now holds ${rounded(held)}. If this browser loses its data, that is gone.`),
      action: html`<span class="line">
        <button
          type="button"
          class="btn secondary mini"
          @click=${() => this.emit('cbf-show-words')}
        >${msg('Show words')}</button>
        <button
          type="button"
          class="btn text mini"
          @click=${() => this.emit('cbf-later')}
        >${msg('Remind me later')}</button>
      </span>`,
    });
  }

  #archivedRow({ id, alias, address }: Wallet): TemplateResult {
    return html`<li>
      <span class="row-main"><span class="strong trunc">${alias}</span><span class="sm muted">${shortAddress(address)}</span></span>
      <button
        type="button"
        class="btn quiet"
        aria-label=${msg(str`Bring back ${alias}`)}
        @click=${() => this.emit('cbf-unarchive', { id })}
      >
        ${msg('Bring back')}
      </button>
    </li>`;
  }

  #archived(): TemplateResult | typeof nothing {
    const { archived } = this;
    return archived.length
      ? html`<details class="more">
                <summary>${msg(str`Archived (${archived.length})`)} ${icon(iconChevronDown(), 's')}</summary>
                <div class="card"><ul class="rows archived">${archived.map((wallet) => this.#archivedRow(wallet))}</ul></div>
              </details>`
      : nothing;
  }

  protected override render(): TemplateResult {
    const { undo, wallets } = this;
    const title = msg(str`${CHAIN_NAMES[this.secretType]} wallets`);
    return this.layout({
      body: html`${this.#reminder()}<div class="between">
          ${this.site ? head(this, title, false) : head(this, title)}
          <span class="tag">${wallets.length}</span>
        </div>
        ${wallets.length && this.site ? html`<p class="sm muted">${msg(str`Choose the wallet that ${this.site} may see and use.`)}</p>` : nothing}
        ${
          wallets.length
            ? html`<div class="card"><ul
              class="rows"
              @focusout=${this.#onFocusOut}
            >${wallets.slice(0, this.shown).map((wallet) => this.#row(wallet))}</ul></div>
            ${
              wallets.length > this.shown
                ? html`<button
                  type="button"
                  class="btn text"
                  @click=${() => this.emit('cbf-more')}
                >${msg('Show more')}</button>`
                : nothing
            }`
            : html`<p class="muted">${this.elsewhere ? msg(str`No ${CHAIN_NAMES[this.secretType]} wallet is in use in this browser`) : msg(str`You have no ${CHAIN_NAMES[this.secretType]} wallet`)}</p>`
        }
        ${troubleLine(this.trouble, this.busy, () => this.emit('cbf-retry'))} ${holderNotes(wallets)}
        ${elsewhereCard(this.elsewhere, this.busy, () => this.emit('cbf-enrol'))}
        ${
          // The reminder says it already.
          this.reminded
            ? nothing
            : backupNotes(
                wallets.map(({ id }) => this.unsaved.get(id)),
                this.kept,
              )
        }
        ${this.site ? html`<p>${ownPageLink()}</p>` : nothing}
        ${
          undo
            ? html`<div class="card undo">
                <span class="sm">${msg(str`${undo.alias} is archived`)}</span>
                <button
                  type="button"
                  class="btn ghost"
                  @click=${() => this.emit('cbf-unarchive', { id: undo.id })}
                >${msg('Undo')}</button>
              </div>`
            : nothing
        }
        ${this.#archived()}
        ${whatIsThis(msg('Each wallet is an address with a key of its own. The primary one comes first. Sites see only the wallets that you link to them.'))}`,
      foot: html`<div class="actions even">
        <button
          type="button"
          class="btn secondary lg"
          @click=${() => this.emit('cbf-import')}
        >${icon(iconImport(), 's')}<span>${msg('Import wallet')}</span></button>
        <button
          type="button"
          class="btn ${wallets.length ? 'secondary' : 'primary'} lg"
          @click=${() => this.emit('cbf-create')}
        >${icon(iconPlus(), 's')}<span>${msg('Create wallet')}</span></button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-manage': ManageView;
  }
}
