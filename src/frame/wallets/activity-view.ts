import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Wallet } from '../../api/wallet.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { shortText } from '../../ui/address.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { explanationStyles, whatIsThis } from '../ui/explanations.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import { ALL, listStyles, networkFilter, walletLine } from '../ui/rows.ts';
import { entriesOn, type Entry, keyOf, type Names, siteOf } from './activity-entries.ts';
import {
  DIRECTIONS,
  directionName,
  type Filter,
  filtered,
  NO_FILTER,
  sitesIn,
  tokensIn,
  yearsIn,
} from './activity-filter.ts';
import { activityList, activityListStyles } from './activity-list.ts';

export interface ActivityEvents {
  /** Opens an entry in full: its `keyOf`. */
  'cbf-open': { id: string };
  /** Shows another wallet, or all of them: its id, or `ALL`. */
  'cbf-scope': { id: string };
  /** Saves what is shown as a file. */
  'cbf-export': { entries: readonly Entry[] };
  /** Back, Esc. */
  'cbf-back': null;
}

/** Entries drawn before "Show earlier" is pressed. */
const PAGE = 50;

/** What happened to a wallet, or to all of them, latest first. */
@customElement('cbf-activity')
export class ActivityView extends FrameView<ActivityEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    chainStyles,
    fieldStyles,
    activityListStyles,
    explanationStyles,
    css`
      .search > .input { flex: 1 1 0; min-inline-size: 0; }
      .count:empty { position: absolute; }
      .filters { display: grid; grid-template-columns: 1fr 1fr; gap: var(--_s2); }
      .filters > .input { min-inline-size: 0; text-overflow: ellipsis; }
      @container frame (max-width: 339px) { .filters { grid-template-columns: 1fr; } }
    `,
  ];

  /** The one that is shown, or was before all of them. */
  @property({ attribute: false }) wallet!: Wallet;
  /** All that can be shown. */
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  /** Id of the wallet that is shown; `ALL` for all of them. */
  @property({ attribute: false }) scope: string | undefined;
  /** Undefined while loading. */
  @property({ attribute: false }) entries: readonly Entry[] | undefined;
  @property({ attribute: false }) names: Names = new Map();
  /** Those that the wallets are on. */
  @property({ attribute: false }) networks: readonly Network[] = [];
  /** Epoch milliseconds. */
  @property({ attribute: false }) now = 0;
  /** Why the last action failed. */
  @property({ attribute: false }) error = '';

  @state() private shown = PAGE;
  /** Id of the network whose entries are shown; empty for all. */
  @state() private network = ALL;
  @state() private filter = NO_FILTER;
  @state() private isFiltering = false;
  /** When the entries were first drawn. */
  #since: number | undefined;

  protected override readonly escape = 'cbf-back';

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('scope') || changed.get('scope') === undefined) return;
    Object.assign(this, { network: ALL, filter: NO_FILTER, shown: PAGE });
    this.#since = undefined;
  }

  #narrow(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    this.shown = PAGE;
  }

  #choice(
    name: string,
    field: keyof Filter,
    any: string,
    options: [value: string, text: string][],
  ): TemplateResult {
    const chosen = this.filter[field];
    return html`<select
      class="input"
      aria-label=${name}
      .value=${chosen}
      @change=${({ target }: Event) => this.#narrow({ [field]: (target as HTMLSelectElement).value })}
    >
      <option value="" ?selected=${!chosen}>${any}</option>
      ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`)}
    </select>`;
  }

  /** Of the wallets, if there are several. */
  #scopes(): TemplateResult {
    const { wallets, scope, wallet } = this;
    if (wallets.length < 2) return walletLine(wallet);
    const chosen = scope ?? wallet.id;
    return html`<select
      class="input"
      aria-label=${msg('Wallet')}
      .value=${chosen}
      @change=${({ target }: Event) => this.emit('cbf-scope', { id: (target as HTMLSelectElement).value })}
    >
      <option value=${ALL} ?selected=${chosen === ALL}>${msg('All wallets')}</option>
      ${wallets.map(
        ({ id, alias, address, secretType }) =>
          html`<option value=${id} ?selected=${id === chosen}>${alias} · ${CHAIN_NAMES[secretType]} · ${shortText(address)}</option>`,
      )}
    </select>`;
  }

  #search(all: readonly Entry[]): TemplateResult {
    const { filter, isFiltering } = this;
    const sites = sitesIn(all).map((origin): [string, string] => [origin, siteOf(origin)]);
    return html`<div class="line search">
        <input
          class="input"
          type="search"
          autocomplete="off"
          spellcheck="false"
          aria-label=${msg('Search the activity')}
          placeholder=${msg('Search')}
          .value=${live(filter.text)}
          @input=${({ target }: Event) => this.#narrow({ text: (target as HTMLInputElement).value })}
        />
        <button
          type="button"
          class="btn secondary"
          aria-expanded=${isFiltering ? 'true' : 'false'}
          @click=${() => (this.isFiltering = !isFiltering)}
        >${msg('Filter')}</button>
      </div>
      ${
        isFiltering
          ? html`<div class="filters">
              ${this.#choice(
                msg('Direction'),
                'direction',
                msg('All directions'),
                DIRECTIONS.map((direction) => [direction, directionName(direction)]),
              )}
              ${this.#choice(
                msg('Token'),
                'token',
                msg('All tokens'),
                tokensIn(all).map((symbol) => [symbol, symbol]),
              )}
              ${this.#choice(msg('Site'), 'site', msg('All sites'), sites)}
              ${this.#choice(msg('Time'), 'time', msg('Any time'), [
                ['7 days', msg('Last 7 days')],
                ['30 days', msg('Last 30 days')],
                ...yearsIn(all).map((year): [string, string] => [year, year]),
              ])}
            </div>`
          : nothing
      }`;
  }

  #list(entries: readonly Entry[]): TemplateResult {
    const { networks, names, now, shown } = this;
    const since = (this.#since ??= now);
    const open = (entry: Entry): void => this.emit('cbf-open', { id: keyOf(entry) });
    const options = { names, now, open, named: networks.length > 1, mixed: this.scope === ALL, since };
    return html`${activityList(entries.slice(0, shown), options)}
      ${
        entries.length > shown
          ? html`<button
            type="button"
            class="btn text"
            @click=${() => (this.shown += PAGE)}
          >${msg('Show earlier')}</button>`
          : nothing
      }
      <button
        type="button"
        class="btn text"
        @click=${() => this.emit('cbf-export', { entries })}
      >${msg('Export as CSV')}</button>`;
  }

  protected override render(): TemplateResult {
    const { networks, network, names, now, filter } = this;
    const all = this.entries ?? [];
    const entries = filtered(entriesOn(all, network), filter, names, now);
    const isNarrowed = entries.length < all.length;
    return this.layout({
      body: html`${head(this, msg('Activity'))} ${this.#scopes()}
        ${this.error ? html`<p class="err" role="alert">${this.error}</p>` : nothing}
        ${all.length ? this.#search(all) : nothing}
        ${networkFilter(networks, network, (id) => Object.assign(this, { network: id, shown: PAGE }))}
        <p class="sm muted count" role="status">${isNarrowed ? msg(str`${entries.length} of ${all.length}`) : nothing}</p>
        ${
          this.entries?.length === 0
            ? html`<p class="muted">${msg('Nothing yet. What this wallet sends, receives and signs is listed here.')}</p>`
            : entries.length
              ? this.#list(entries)
              : nothing
        }
        ${whatIsThis(msg('What you approved here, and what came in. It is kept in this browser. What came in is what the network’s nodes report: for something that must be right, such as a sale, check with an explorer of the network.'))}`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-activity': ActivityView;
  }
}
