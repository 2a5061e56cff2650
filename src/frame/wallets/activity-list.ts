/** A wallet's activity by day. Each row has a glyph and word for the direction, the counterparty, and the amount. */
import { css, html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { language, msg, str } from '../../base/localize.ts';
import { shortened } from '../../ui/amount-text.ts';
import { icon, iconClose, iconSwap } from '../../ui/icons.ts';
import { iconExternal, iconKey } from '../../ui/list-icons.ts';
import { iconCall } from '../approve/drawing/heading.ts';
import { amountText } from '../ui/amount.ts';
import { hidesBalances, unlessHidden } from '../ui/hidden-balances.ts';
import {
  counterpartOf,
  type Entry,
  failureCost,
  isOnlySeen,
  keyOf,
  limitText,
  type Moved,
  movedOf,
  networkNameOf,
  type Names,
  pairText,
  pastWorthText,
  progressIn,
  rowWords,
  type State,
  stateOf,
  swapOf,
  waitsText,
  wordOf,
  worthOfEntry,
} from './activity-entries.ts';

/** Needs `listStyles`. */
export const activityListStyles = css`
  .day > .rows > li { padding: 0; min-block-size: 0; }
  .event { appearance: none; display: flex; align-items: center; gap: var(--_s3); inline-size: 100%; min-block-size: 64px; padding: 6px var(--_s3); border: 0; background: none; text-align: start; line-height: 1.3; }
  :is(a, button).event { color: inherit; text-decoration: none; cursor: pointer; }
  :is(a, button).event:hover { background: var(--_surface-2); }
  a.event > .i { color: var(--_text-3); }
  :is(a, button).event:focus-visible { outline-offset: -3px; border-radius: var(--_r-md); }
  .day { overflow: hidden; }
  .direction { inline-size: 34px; block-size: 34px; border-radius: 50%; display: grid; place-items: center; flex: none; background: var(--_surface-2); color: var(--_text-2); box-shadow: inset 0 0 0 1px var(--_border); }
  .direction.in { background: var(--_success-soft); color: var(--_success); box-shadow: none; }
  .direction.wait { background: var(--_caution-soft); color: var(--_caution); box-shadow: none; }
  .direction.bad { background: var(--_danger-soft); color: var(--_danger); box-shadow: none; }
  .direction.l { inline-size: 40px; block-size: 40px; }
  .event .title-line { display: flex; flex-wrap: wrap; align-items: center; gap: 0 6px; font-weight: 600; font-size: inherit; letter-spacing: 0; line-height: 1.3; }
  .event .row-main { overflow-wrap: anywhere; }
  .event .note { display: block; font-style: italic; unicode-bidi: plaintext; }
  .moved { max-inline-size: 50%; text-align: end; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .moved > * { display: block; }
  .moved .in { color: var(--_success); }
  .hidden-events > summary { display: inline-flex; align-items: center; min-block-size: var(--_hit); padding-inline: var(--_s2); border-radius: var(--_r-sm); color: var(--_accent-text); font-weight: 560; cursor: pointer; list-style: none; }
  .hidden-events > summary::-webkit-details-marker { display: none; }
  .hidden-events > summary:hover { background: var(--_accent-soft); }
  .hidden-events > p { margin-block-end: var(--_s2); }
  .new { animation: arrived 1.2s linear; }
  @keyframes arrived { from { background: var(--_accent-soft); } }
  @media (prefers-reduced-motion: reduce) { .new { animation: none; } }
  @media (forced-colors: active) { .direction { border: 1px solid CanvasText; } }
`;

export interface ListOptions {
  names: Names;
  now: number;
  /** Opens an entry in full. */
  open: (entry: Entry) => void;
  /** The wallet is on several networks: each entry has the name of its own. */
  named?: boolean;
  /** The list is of several wallets: each entry has the name of its own. */
  mixed?: boolean;
  /** Entries after this time arrived while the list was on screen; their rows are highlighted briefly. */
  since: number;
}

/** The entries by day, then the hidden ones: tiny amounts, and unlisted tokens. */
export function activityList(entries: readonly Entry[], options: ListOptions): TemplateResult {
  const isHidden = (entry: Entry): boolean => entry.type === 'received' && !!entry.received.dust;
  const hidden = entries.filter(isHidden);
  return html`${days(
    entries.filter((entry) => !isHidden(entry)),
    options,
  )}${
    hidden.length
      ? html`<details class="hidden-events">
          <summary>${msg(str`Hidden (${hidden.length})`)}</summary>
          <p class="sm muted">${msg('Unknown tokens, and amounts next to nothing. Do not copy an address from here.')}</p>
          <div class="stack">${days(hidden, options)}</div>
        </details>`
      : nothing
  }`;
}

function days(entries: readonly Entry[], options: ListOptions): TemplateResult[] {
  const byDay = new Map<string, Entry[]>();
  for (const entry of entries) {
    const day = dayText(entry.at, options.now);
    byDay.set(day, [...(byDay.get(day) ?? []), entry]);
  }
  return [...byDay].map(
    ([day, list]) => html`<section class="stack tight">
      <h2 class="sect">${day}</h2>
      <div class="card day"><ul class="rows">${repeat(list, keyOf, (entry) => row(entry, options))}</ul></div>
    </section>`,
  );
}

/** `Today`, `20 November`, and with the year if not the current one. */
function dayText(at: number, now: number): string {
  const [day, today] = [new Date(at), new Date(now)];
  if (day.toDateString() === today.toDateString()) return msg('Today');
  const year = day.getFullYear() === today.getFullYear() ? undefined : 'numeric';
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year }).format(day);
}

function row(entry: Entry, { names, now, open, named, mixed, since }: ListOptions): TemplateResult {
  const look = entry.at > since ? 'new' : '';
  const other = counterpartOf(entry, names);
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(entry.at);
  const time = isOnlySeen(entry) ? msg(str`seen ${clock}`) : clock;
  const limit = entry.type === 'sent' ? limitText(entry) : undefined;
  const networkName = named ? networkNameOf(entry) : undefined;
  const content = html`${directionMark(entry)}
    <span class="row-main">
      <span class="title-line">${titleOf(entry)} ${stateTag(entry, now)}</span>
      <span class="sm muted">${other ? html`<bdi title=${other.full ?? nothing}>${other.text}</bdi> · ` : nothing}${
        limit ? html`<bdi>${limit}</bdi> · ` : nothing
      }${mixed && entry.wallet ? html`<bdi>${entry.wallet.alias}</bdi> · ` : nothing}${networkName ? html`<bdi>${networkName}</bdi> · ` : nothing}<span class="num">${time}</span></span>
      ${entry.note ? html`<span class="sm note">${entry.note}</span>` : nothing}
    </span>
    ${movedText(entry)}`;
  const explorer = entry.network?.explorer;
  if (entry.type === 'elsewhere' && explorer)
    return html`<li class=${look}><a
      class="event"
      href=${explorer + entry.id}
      target="_blank"
      rel="noopener noreferrer"
    >${content}<span class="sr"> ${msg('View on explorer')}</span>${icon(iconExternal())}</a></li>`;
  return html`<li class=${look}>${
    entry.type === 'signed' || entry.type === 'elsewhere'
      ? html`<div class="event">${content}</div>`
      : html`<button type="button" class="event" @click=${() => open(entry)}>${content}</button>`
  }</li>`;
}

function titleOf(entry: Entry): unknown {
  const swap = entry.type === 'sent' && !entry.cancels ? swapOf(entry) : undefined;
  if (!swap || entry.type !== 'sent' || hidesBalances()) return wordOf(entry);
  const { got } = entry.record;
  return html`<span class="sr">${wordOf(entry)}</span>${shortened(
    pairText(swap, got, rowWords),
    pairText(swap, got, amountText),
  )}`;
}

function movedText(entry: Entry): TemplateResult | typeof nothing {
  const moved = movedOf(entry);
  const worth = worthOfEntry(entry);
  const note =
    entry.type === 'sent' && stateOf(entry) === 'failed'
      ? failureCost(entry.record)
      : worth && !hidesBalances() && html`<bdi dir="ltr">${pastWorthText(worth)}</bdi>`;
  if (!moved && !note) return nothing;
  const shown = moved && amountOf(moved);
  return html`<span class="moved">${shown ? html`<span class="strong ${moved.sign === '+' ? 'in' : ''}">${shown}</span>` : nothing}${
    note ? html`<span class="sm muted">${note}</span>` : nothing
  }</span>`;
}

/** With its sign. An unknown token's own name and amount are not shown: both are meaningless. */
function amountOf({ sign, amount }: Moved): unknown {
  if (sign === '+' && amount.decimals === null) return msg('Unknown token');
  return unlessHidden(() => shortened(sign + rowWords(amount), sign + amountText(amount)));
}

/** Waiting, Failed, Replaced or Cancelled; no tag for an entry that is final. */
export function stateTag(entry: Entry, now: number): TemplateResult | typeof nothing {
  switch (stateOf(entry)) {
    case 'waiting':
      return html`<span class="tag warn">${waitsText(entry, now)}</span>`;
    case 'returned':
      return html`<span class="tag">${progressIn(entry)?.payouts.length ? msg('A part came back') : msg('Came back')}</span>`;
    case 'failed':
      return html`<span class="tag bad">${msg('Failed')}</span>`;
    case 'replaced':
      return html`<span class="tag">${msg('Replaced')}</span>`;
    case 'cancelled':
      return html`<span class="tag">${msg('Cancelled')}</span>`;
    case 'final':
      return nothing;
  }
}

const LOOKS: Partial<Record<State, string>> = { waiting: 'wait', failed: 'bad' };

export function directionMark(entry: Entry, size = ''): TemplateResult {
  const look = LOOKS[stateOf(entry)] ?? (entry.type === 'received' ? 'in' : '');
  return html`<span class="direction ${look} ${size}">${icon(glyphOf(entry))}</span>`;
}

function glyphOf(entry: Entry): SVGTemplateResult {
  if (entry.type === 'received') return iconIn();
  if (entry.type === 'signed') return iconKey();
  if (entry.type === 'elsewhere') return iconOut();
  if (entry.cancels) return iconClose();
  if (swapOf(entry)) return iconSwap();
  const { kind } = entry.record.summary;
  if (kind === 'approval') return iconLimit();
  return kind === 'transfer' ? iconOut() : iconCall();
}

// Activity glyphs. Their arrows show direction, and are not mirrored in right-to-left languages.

export const iconOut = (): SVGTemplateResult => svg`<path d="M7 17 17 7M9 7h8v8"/>`;
export const iconIn = (): SVGTemplateResult => svg`<path d="M17 7 7 17m8 0H7V9"/>`;
export const iconLimit = (): SVGTemplateResult =>
  svg`<path d="M12 3.5 19 6v5.5c0 4.3-2.9 7.3-7 9-4.1-1.7-7-4.7-7-9V6z"/>`;
export const iconFast = (): SVGTemplateResult => svg`<path d="M13 3.5 5.5 13.5h6l-.5 7 7.5-10h-6z"/>`;
