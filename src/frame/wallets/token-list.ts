/** The portfolio's list of coins and tokens on all networks, with their total, and what of them could not be read. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Clock } from '../../base/clock.ts';
import { language, msg, str } from '../../base/localize.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import { coinOf } from '../../chains/secret-type.ts';
import type { Worth } from '../../prices/prices.ts';
import { figure, numbers } from '../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import { listOf } from '../../ui/text.ts';
import { worthOf } from '../../ui/worth.ts';
import { digitsOf } from '../ui/amount.ts';
import { howToAddFunds } from '../ui/explanations.ts';
import { hiddenAmount, hidesBalances, unlessHidden } from '../ui/hidden-balances.ts';
import { networkTag } from '../ui/rows.ts';
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

/** Needs `listStyles`, `amountStyles` and `explanationStyles`. */
export const tokenListStyles = css`
  .total { display: grid; gap: 1px; }
  .amount.long { font-size: var(--_fs-2xl); }
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
  .skel { display: block; inline-size: 72px; block-size: 12px; border-radius: 6px; background: var(--_surface-3); animation: appear 120ms 200ms both; }
  .skel.mark { inline-size: 32px; block-size: 32px; border-radius: 50%; }
  .skel.long { inline-size: 104px; block-size: 10px; }
  .skel.short { inline-size: 60px; }
  .skel.sum { inline-size: 150px; block-size: 33px; }
  .skel.note { inline-size: 104px; block-size: 17px; }
  @keyframes appear { from { opacity: 0; } }
  @media (forced-colors: active) { .low { color: CanvasText; } }
`;

export interface Priced {
  currency: string;
  worth(network: Network, amount: Amount): Worth | undefined;
}

export interface TokenListOptions {
  /** Those that the wallet is on, its default one first. */
  networks: readonly Network[];
  /** Of these, those on screen. */
  shown: readonly Network[];
  /** By network id, as far as read. */
  holdings: ReadonlyMap<string, Holdings>;
  /** Undefined without a price source. */
  prices: Priced | undefined;
  clock: Clock;
  /** The hidden ones are shown, too. */
  all: boolean;
  toggle: () => void;
  send: (held: Held) => void;
  retry: () => void;
}

/** Longer totals, in characters, would wrap on the smallest phones. */
const LONGEST = 13;

/** Holdings worth less than this many of the currency's minor units are hidden. */
const DUST_UNITS = 10;

/** Maximum number of hidden tokens drawn: a network may list thousands. */
const MAX_HIDDEN = 200;

/**
 * One drawing of the list.
 *
 * @example const { total, panel } = new TokenList({ networks, shown: networks, holdings, … }).draw();
 */
export class TokenList {
  readonly #networks: readonly Network[];
  readonly #options: TokenListOptions;

  constructor(options: TokenListOptions) {
    this.#options = options;
    this.#networks = options.networks;
  }

  /** Each row has the name of its network anyway; this is for what has not. */
  get #isOnSeveral(): boolean {
    return this.#networks.length > 1;
  }

  draw(): { total: unknown; panel: TemplateResult } {
    const read = this.#options.shown.flatMap((network) => {
      const holdings = this.#options.holdings.get(network.id);
      return holdings ? [{ network, ...holdings, gaps: gapsOf(holdings) }] : [];
    });
    if (!read.length)
      return {
        total: this.#options.prices
          ? html`<div
            class="total"
            aria-hidden="true"
          ><span class="skel sum"></span><span class="skel note"></span></div>`
          : nothing,
        panel: skeleton(),
      };
    const held = read.flatMap((one) => one.held);
    const home = this.#options.shown[0]!.id;
    const { shown, hidden } = sortHeld(held, this.#value, this.#dust().value, home);
    const reading = this.#options.shown.filter(({ id }) => !this.#options.holdings.has(id));
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
        ${reading.length || partial.length || held.some(({ amount }) => amount.raw) ? nothing : howToAddFunds(this.#options.shown[0]!)}
        ${this.#hidden(hidden)}`,
    };
  }

  /** `reading`, `failed`: the networks whose holdings it lacks, all or some. */
  #total(
    held: readonly Held[],
    shown: readonly Held[],
    { reading, failed }: Record<'reading' | 'failed', readonly Network[]>,
  ): TemplateResult | typeof nothing {
    const valued = new Set(valuedNetworks(this.#networks));
    const isValued = ({ network }: Held): boolean => valued.has(network);
    const counted = held.filter(isValued);
    const total = totalOf(counted, shown.filter(isValued), this.#value);
    if (!total || !this.#options.prices) return nothing;
    const { currency, worth } = this.#options.prices;
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
      ${hidesBalances() ? html`<p class="amount">${hiddenAmount()}</p>` : inCurrency(total.value, currency)}
      <p class="xs faint">${msg(str`Prices at ${time}`)}${notes.map((note) => ` · ${note}`)}</p>
    </div>`;
  }

  readonly #value = ({ network, amount }: Held): number | undefined =>
    this.#options.prices?.worth(network, amount)?.value;

  #row(held: Held): TemplateResult {
    const { amount, network, unknown } = held;
    const worth = amount.raw && !unknown ? this.#options.prices?.worth(network, amount) : undefined;
    // The wallet's own Send supports its coin and the listed tokens.
    const isKnown = amount.token ? !unknown : amount.symbol === coinOf(network).symbol;
    const inside = html`${this.#badge(held)}
      <span class="row-main">
        <span class="strong name"><span class="trunc">${amount.symbol}</span>${unknown ? html`<span class="tag">${msg('Unknown')}</span>` : nothing}</span>
        <span class="sm muted trunc">${this.#about(held)}</span>
      </span>
      <span class="held"><span class="strong">${unlessHidden(() => dimmed(amount))}</span>${
        hidesBalances()
          ? nothing
          : worth
            ? html`<span class="sm muted">${worthOf(worth, { rounding: 'down', now: this.#options.clock.date() })}</span>`
            : this.#options.prices && amount.raw
              ? html`<span class="sm faint">${msg('no price')}</span>`
              : nothing
      }</span>`;
    return isKnown && amount.raw
      ? html`<li class="flush"><button
        type="button"
        class="row"
        @click=${() => this.#options.send(held)}
      ><span class="sr">${msg('Send')}</span> ${inside}</button></li>`
      : html`<li title=${unknown ? amount.token! : nothing}>${inside}</li>`;
  }

  #badge({ amount, logo, network }: Held): TemplateResult {
    if (!amount.token) return chainBadge(network.secretType);
    // Any other URL would reveal the viewer to its host.
    if (/^data:image\/|^\/(?![/\\])/.test(logo)) return html`<img class="logo" src=${logo} alt="">`;
    return tokenBadge(amount.symbol);
  }

  #about({ network, unknown, imitates, unclear, name, wallet }: Held): unknown {
    if (imitates !== undefined)
      return html`<span class="warn">${msg(str`Looks like ${imitates}, but is not`)}</span>`;
    if (unclear) return html`<span class="warn">${msg('Its name could mislead')}</span>`;
    const there = html`${network.name}${this.#isOnSeveral ? networkTag(network) : nothing}`;
    // Of several, the name of the wallet says more than that of the token, and comes first where there is no room for both.
    const on = wallet ? html`<bdi>${wallet.alias}</bdi> · ${there}` : there;
    if (unknown) return this.#isOnSeveral ? html`${msg('Unknown token')} · ${on}` : msg('Unknown token');
    return name && !wallet ? html`${name} · ${on}` : on;
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

  #staleness(names: readonly string[]): string {
    return this.#isOnSeveral
      ? msg(str`No answer from ${listOf(names)}. Refresh to ask again.`)
      : msg('The network did not answer. Refresh to ask again.');
  }

  #dust(): { value: number; text: string } {
    if (!this.#options.prices) return { value: 0, text: figure({ raw: 1n, decimals: DUST_PLACES }) };
    const format = numbers({ style: 'currency', currency: this.#options.prices.currency });
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
      aria-expanded=${this.#options.all ? 'true' : 'false'}
      @click=${this.#options.toggle}
    >
        ${msg(str`Hidden (${hidden.length})`)}
      </button>
      ${
        this.#options.all
          ? html`<p class="sm muted">${msg(str`Empty, less than ${text}, or made to look like something else.`)}</p>
            <div class="card"><ul
              class="rows"
              aria-label=${msg('Hidden')}
            >${drawn.slice(0, MAX_HIDDEN).map((one) => this.#row(one))}</ul></div>
            ${left > 0 ? html`<p class="sm muted">${msg(str`${left} more without a balance`)}</p>` : nothing}`
          : nothing
      }`;
  }

  #unread(mark: TemplateResult, name: string, network?: Network): TemplateResult {
    return unreadRow(mark, name, network, this.#options.retry);
  }
}

/** `network`: given if the wallet is on several, all of which may miss the same. */
export function unreadRow(
  mark: TemplateResult,
  name: string,
  network: Network | undefined,
  retry: () => void,
): TemplateResult {
  const why = network ? msg(str`${network.name} is unavailable`) : msg('could not be read');
  return html`<li>
    ${mark}<span class="row-main"><span class="strong">${name}</span><span class="sm muted">${why}</span></span>
    <button type="button" class="btn secondary mini" @click=${retry}>${msg('Retry')}${network ? html`<span class="sr"> ${name}, ${network.name}</span>` : nothing}</button>
  </li>`;
}

const skeletonRow = html`<li aria-hidden="true"><span class="skel mark"></span><span class="row-main stack tight"><span class="skel"></span><span class="skel long"></span></span><span class="skel short"></span></li>`;

/** Three rows, as high as those that will replace them. */
export function skeleton(): TemplateResult {
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
