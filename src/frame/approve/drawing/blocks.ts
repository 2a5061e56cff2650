/**
 * The building blocks of every request view: effect, dangers, cautions, parties, folds. A view's body has them in this order: effect,
 * danger, a check of the signature, parties (To before From), cautions, details, fees.
 */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { msg, plural, str } from '../../../base/localize.ts';
import type { SecretType } from '../../../chains/secret-type.ts';
import { fullAddress } from '../../../ui/address.ts';
import { alert } from '../../../ui/alert.ts';
import { chainBadge, chainBadgeStyles } from '../../../ui/chain-badge.ts';
import { customElement, property } from '../../../ui/decorators.ts';
import { icon, iconCaution, iconCheck, iconChevronDown, iconDanger } from '../../../ui/icons.ts';
import { strangersWords } from '../../../ui/text.ts';

export const blockStyles = css`
  .effect { display: flex; align-items: center; gap: var(--_s3); min-block-size: 50px; }
  .effect h1 { font-size: var(--_fs-2xl); font-weight: 640; letter-spacing: -.022em; line-height: 1.15; text-wrap: balance; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .effect.long h1 { font-size: var(--_fs-xl); letter-spacing: -.015em; line-height: 1.2; }
  .effect .sub { font-size: var(--_fs-sm); line-height: 1.35; color: var(--_text-2); margin-block-start: 1px; overflow-wrap: anywhere; }
  .effect > .tok { inline-size: 40px; block-size: 40px; font-size: 17px; }
  .round { inline-size: 40px; block-size: 40px; border-radius: 50%; display: grid; place-items: center; flex: none; background: var(--_accent-soft); color: var(--_accent-text); }
  .round.bad { background: var(--_danger-soft); color: var(--_danger); }
  .party { padding-block: 7px; }
  .kv > div { padding-block: 6px; }
  .alert { padding: 10px var(--_s3); gap: 10px; overflow-wrap: anywhere; }
  .notes { border: 1px solid var(--_caution-line); border-radius: var(--_r-md); background: var(--_caution-soft); }
  .notes details + details { border-block-start: 1px solid var(--_caution-line); }
  .note > summary, .fold > summary { display: flex; align-items: center; gap: var(--_s2); min-block-size: 40px; padding-inline: var(--_s3); font-size: var(--_fs-sm); font-weight: 600; line-height: 1.25; color: var(--_caution); cursor: pointer; list-style: none; border-radius: 10px; }
  :is(.note, .fold) > summary::-webkit-details-marker { display: none; }
  :is(.note, .fold) > summary:focus-visible { outline-offset: -3px; }
  :is(.note, .fold) > summary > .i:last-child { transition: transform var(--_t); }
  :is(.note, .fold)[open] > summary > .i:last-child { transform: rotate(180deg); }
  .note > .text { padding-block: 0 10px; padding-inline: 36px 12px; margin-block-start: -4px; font-size: var(--_fs-sm); line-height: 1.4; overflow-wrap: anywhere; }
  .note.danger { border: 1px solid var(--_danger-line); border-inline-start: 4px solid var(--_danger); border-radius: var(--_r-md); background: var(--_danger-soft); }
  .note.danger > summary { color: var(--_danger); }
  .count { display: none; align-items: center; inline-size: 100%; border: 0; background: none; text-align: start; cursor: pointer; gap: var(--_s2); min-block-size: 40px; padding-inline: var(--_s3); font-size: var(--_fs-sm); font-weight: 600; color: var(--_caution); }
  .ok { display: flex; align-items: center; gap: var(--_s2); min-block-size: 32px; font-size: var(--_fs-sm); color: var(--_success); font-weight: 560; line-height: 1.3; }
  .fold { border: 1px solid var(--_border); border-radius: var(--_r-md); }
  .fold > summary { font-weight: 560; color: var(--_text-2); }
  .fold > :not(summary) { margin: 0 var(--_s3) var(--_s2); }
  .pill { position: sticky; inset-block-end: 0; z-index: 2; margin: -36px auto 0; background: var(--_text); color: var(--_surface); border-radius: 999px; min-block-size: 36px; padding-inline: 14px; font-size: var(--_fs-sm); box-shadow: var(--_shadow-2); }
  .pill::after { content: ""; position: absolute; inset: -4px; }
  .pill:hover { background: var(--_text-2); }
  @container frame (min-width: 560px) and (max-height: 559px) { .effect h1 { font-size: var(--_fs-xl); } }
  /* Narrow and low: the recipient comes before the warnings, which the tick in the footer sums up. */
  @container frame (max-width: 559px) and (max-height: 559px) {
    .effect { order: -3; }
    .body > .to { order: -2; }
    .body > .alert { order: -1; }
    .view-head ~ :is(.effect, .to, .alert) { order: 0; }
    .effect h1 { font-size: 22px; }
  }
  /* The pad is open: only what must be seen stays. Two columns have room for all of it. */
  @container frame (max-width: 559px) or (min-height: 560px) {
    .folded > :not(.effect, .alert, .to, .notes, .note, .sr, .pill) { display: none; }
    .folded .notes > details, .folded :is(.alert p, .alert .btn, cbf-limit-field) { display: none; }
    .folded .count { display: flex; }
    .folded .effect h1 { font-size: var(--_fs-xl); }
    .folded .effect { min-block-size: 28px; }
    .folded .effect > .chain { inline-size: 26px; block-size: 26px; }
    .folded > .to { order: 1; }
    .folded > :is(.alert, .note, .notes) { order: 2; }
    .folded > .pill { order: 3; }
    .folded .party:not(.must) { display: none; }
  }
  /* On a sheet of 616 px, the pad leaves 168 px for effect, recipient and the number of cautions. */
  @container frame (max-width: 559px) and (max-height: 640px) {
    .body.folded { padding-block: 4px 6px; gap: 4px; }
    .folded .party { padding-block: 4px; }
    .folded .count { min-block-size: 36px; }
    .folded .effect .grow { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: var(--_s2); }
  }
  @media (forced-colors: active) {
    .notes, .note.danger, .pill { border: 1px solid CanvasText; }
    .note.danger { border-inline-start-width: 6px; }
  }
`;

/**
 * What the request does, in the largest type: badge, verb and amount, with the terms below. `what` is its exact content: when that changes,
 * it has to be seen again. `long` selects the smaller type size.
 */
export function effect(parts: {
  badge: unknown;
  title: unknown;
  sub?: unknown;
  /** A line below. */
  note?: unknown;
  long: boolean;
  what: string;
}): TemplateResult {
  return html`<div class="effect ${parts.long ? 'long' : ''}" data-seen="effect" data-what=${parts.what}>
    ${parts.badge}
    <div class="grow"
      ><h1 tabindex="-1">${parts.title}</h1
      >${parts.sub ? html`<p class="sub">${parts.sub}</p>` : nothing}${parts.note}</div
    >
  </div>`;
}

/** Effects with this many characters or more are drawn smaller. */
export const LONG_EFFECT = 21;

/** The icon of an effect without a coin. */
export function roundBadge(glyph: unknown, danger = false): TemplateResult {
  return html`<span class="round ${danger ? 'bad' : ''}">${glyph}</span>`;
}

type Quote = { who: string; words: string } | undefined;

export interface Danger {
  title: unknown;
  text?: unknown;
  /** Third-party words about it. */
  quote?: Quote;
  /** The safer choice, as a mini button. */
  action?: unknown;
}

/** Dangers, worst first: the first in full, the others as one line each that unfolds. */
export function dangers(list: readonly Danger[]): TemplateResult | typeof nothing {
  const [worst, ...others] = list;
  if (!worst) return nothing;
  return html`${alert('danger', worst)}${others.map((one) => note('danger', one))}`;
}

function note(
  level: 'danger' | '',
  { title, text, quote, action, open }: Danger & Partial<Caution>,
  edge = false,
): TemplateResult {
  return html`<details class="note ${level}" ?open=${open ?? false}>
    <summary data-seen=${edge ? 'warning' : nothing}>${icon(level ? iconDanger() : iconCaution(), 's')}<span class="grow">${title}</span>${icon(iconChevronDown(), 's')}</summary>
    <div class="text">${text}${quote ? strangersWords(quote.who, quote.words) : nothing}${action}</div>
  </details>`;
}

export interface Caution {
  title: unknown;
  text: unknown;
  quote?: Quote;
  /** Starts unfolded: only for what is new about a recipient that the user knows. */
  open?: boolean | undefined;
}

const CAUTIONS = 3;

/** Closes the pad, because it is what folds the cautions. */
function closePad({ currentTarget }: Event): void {
  const detail = { open: false };
  currentTarget!.dispatchEvent(new CustomEvent('cbf-pad', { detail, bubbles: true, composed: true }));
}

/**
 * Cautions in one card, worst first, one line each: at most three, the rest as "2 more". With the PIN pad open only their number; pressing
 * it closes the pad, which shows them. Their first and last line have to be seen.
 */
export function cautions(list: readonly Caution[]): TemplateResult | typeof nothing {
  if (!list.length) return nothing;
  const room = list.length > CAUTIONS ? CAUTIONS - 1 : CAUTIONS;
  const rest = list.slice(room);
  const last = rest.length ? -1 : list.length - 1;
  const count = plural(list.length, msg('1 caution'), msg(str`${list.length} cautions`));
  return html`<div class="notes" role="group" aria-label=${msg('Cautions')}>
    <button
      type="button"
      class="count mini"
      data-seen="warning"
      @click=${closePad}
    >${icon(iconCaution(), 's')}<span class="grow">${count}</span>${icon(iconChevronDown(), 's')}</button>${list
      .slice(0, room)
      .map((one, i) => note('', one, i === 0 || i === last))}${
      rest.length
        ? note('', { title: msg(str`${rest.length} more`), text: rest.map((one) => note('', one)) }, true)
        : nothing
    }
  </div>`;
}

/** A check that passed, in green. */
export function okLine(text: unknown): TemplateResult {
  return html`<p class="ok">${icon(iconCheck(), 's')}<span>${text}</span></p>`;
}

/** Content that unfolds on request. */
export function fold(title: unknown, content: unknown, onOpen?: () => void): TemplateResult {
  return html`<details class="fold" @toggle=${onOpen}>
    <summary><span class="grow">${title}</span>${icon(iconChevronDown(), 's')}</summary>
    ${content}
  </details>`;
}

/** A row of a card, which is a `dl`: To, From, With, Token. `must`: stays visible while the pad is open. */
export function party(name: string, value: unknown, must = false, wide = false): TemplateResult {
  return html`<div class="party ${must ? 'must' : ''}"><dt class="k ${wide ? 'wide' : ''}">${name}</dt><dd>${value}</dd></div>`;
}

/** The full address of a recipient or spender, below its name. It has to be seen. `marked` as in `fullAddress`. */
export function counterpart(address: string, name?: unknown, marked?: ReadonlySet<number>): TemplateResult {
  return html`${name ? html`<span class="strong block">${name}</span>` : nothing}<span
      data-seen="to"
      data-what=${address}
      class="block"
    >${fullAddress(address, marked)}</span>`;
}

/** A network's name and badge, below the origin in the header. A separate element because the header loads before the badges. */
@customElement('cbf-network')
export class NetworkElement extends LitElement {
  static override styles = [
    chainBadgeStyles,
    css`
      :host { display: inline-flex; align-items: center; gap: 5px; min-inline-size: 0; font-weight: 560; white-space: nowrap; }
      .chain.xs { inline-size: 15px; block-size: 15px; }
      .chain.xs svg { stroke-width: 2.4; }
    `,
  ];

  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';

  protected override render(): TemplateResult {
    return html`${chainBadge(this.secretType, 'xs')}<slot></slot>`;
  }
}

/** The header's line for a request's network. */
export function networkLine(secretType: SecretType, name: string): TemplateResult {
  return html`<cbf-network .secretType=${secretType}>${name}</cbf-network>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-network': NetworkElement;
  }
}
