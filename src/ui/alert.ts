import { css, html, nothing, type TemplateResult } from 'lit';
import { icon, iconCaution, iconCheck, iconDanger, iconInfo } from './icons.ts';
import { strangersStyles, strangersWords, visibleTextStyles } from './text.ts';

export type AlertLevel = 'plain' | 'caution' | 'danger' | 'good';

const ICONS = { plain: iconInfo, caution: iconCaution, danger: iconDanger, good: iconCheck };

export const alertStyles = css`
  ${strangersStyles}
  ${visibleTextStyles}
  .alert { display: flex; gap: var(--_s3); padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); font-size: var(--_fs-sm); line-height: 1.4; }
  .alert b { display: block; font-weight: 620; font-size: calc(var(--_fs) * .93); }
  .alert.caution { background: var(--_caution-soft); border-color: var(--_caution-line); }
  .alert.caution :is(.i, b) { color: var(--_caution); }
  .alert.danger { background: var(--_danger-soft); border-color: var(--_danger-line); border-inline-start: 4px solid var(--_danger); }
  .alert.danger :is(.i, b) { color: var(--_danger); }
  .alert.good { background: var(--_success-soft); border-color: var(--_success-line); }
  .alert.good :is(.i, b) { color: var(--_success); }
  .alert .btn.mini { margin-block-start: 8px; }
`;

export interface Alert {
  title?: unknown;
  text?: unknown;
  /** Third-party words about it, shown below the text. */
  quote?: { who: string; words: string } | undefined;
  /** Instead of the level's own icon. */
  icon?: TemplateResult | undefined;
  /** A mini button below the text. */
  action?: unknown;
}

/** At most two per view, worst first. Screen readers announce a danger at once. Needs `alertStyles`. */
export function alert(level: AlertLevel, { title, text, quote, icon: own, action }: Alert): TemplateResult {
  return html`<div class="alert ${level}" role=${level === 'danger' ? 'alert' : nothing}>
    ${own ?? icon(ICONS[level]())}
    <div class="grow">${title ? html`<b>${title}</b>` : nothing}${text ? html`<p>${text}</p>` : nothing}${quote ? strangersWords(quote.who, quote.words) : nothing}${action ?? nothing}</div>
  </div>`;
}
