/** The outcome of a request, as every element shows it: what happened, and what can be done with it. */
import { css, html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { msg } from '../base/localize.ts';
import { icon, iconCheck, iconClose, iconCopy, iconDanger } from '../ui/icons.ts';
import { iconExternal } from '../ui/list-icons.ts';

/** A copy of `iconClock`, which importing here would put into the first view of every element. */
const iconWaiting = () => svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`;

export type ResultState = 'waiting' | 'confirmed' | 'failed' | 'cancelled';

const MARKS: Record<ResultState, () => SVGTemplateResult> = {
  waiting: iconWaiting,
  confirmed: iconCheck,
  failed: iconDanger,
  cancelled: iconClose,
};

/** Needs `tokens` and `moreTokens`. */
export const resultStyles = css`
  .sent { display: flex; align-items: center; gap: var(--_s2); min-block-size: var(--_hit); margin-block-start: var(--_s3); padding-inline-start: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface); color: var(--_text); font-size: var(--_fs-sm); line-height: 1.35; }
  .sent + .sent { margin-block-start: var(--_s2); }
  .panel > .sent { margin: 0; }
  .sent .words { flex: 1 1 0; min-inline-size: 0; padding-block: 6px; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  .sent .words > * { display: block; }
  .sent small { color: var(--_text-2); font-size: inherit; }
  .sent > .i { inline-size: 16px; block-size: 16px; stroke-width: 2; color: var(--_caution); }
  .sent[data-state="confirmed"] > .i { color: var(--_success); }
  .sent[data-state="cancelled"] > .i { color: var(--_text-2); }
  .sent[data-state="failed"] > .i { color: var(--_danger); }
  .sent .icon { min-block-size: var(--_hit); inline-size: var(--_hit); padding: 0; border: 0; color: var(--_text-2); flex: none; }
  .sent .icon + .icon { margin-inline-start: -8px; }
  .sent .icon.done { color: var(--_success); }
  @media (forced-colors: active) { .sent { border-color: CanvasText; } }
`;

export interface Result {
  state: ResultState;
  title: unknown;
  /** Below it. */
  note?: unknown;
  /** Buttons and links of an icon each, at the end. */
  tools?: unknown;
}

export function resultRow({ state, title, note, tools }: Result): TemplateResult {
  const words = note ? html`<b>${title}</b><small>${note}</small>` : title;
  return html`<div class="sent" data-state=${state} part="panel">${icon(MARKS[state]())}<span class="words">${words}</span>${tools}</div>`;
}

/** Nothing if the network has no explorer, or it is not known yet. */
export function explorerTool(url: string | null | undefined): TemplateResult | typeof nothing {
  return url
    ? html`<a
      class="btn icon"
      href=${url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label=${msg('View on explorer')}
    >${icon(iconExternal())}</a>`
    : nothing;
}

/** `done`: it was copied a moment ago. */
export function copyTool(name: string, done: boolean, copy: () => void): TemplateResult {
  return html`<button
    type="button"
    part="copy"
    class="btn icon ${done ? 'done' : ''}"
    aria-label=${name}
    @click=${copy}
  >${icon(done ? iconCheck() : iconCopy())}</button>`;
}
