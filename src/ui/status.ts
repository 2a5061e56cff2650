import { css, html, type SVGTemplateResult, type TemplateResult } from 'lit';
import { msg } from '../base/localize.ts';
import { icon } from './icons.ts';
import { iconExternal } from './list-icons.ts';

/** Centred views with a round badge: progress, success, guards, errors. */
export const statusStyles = css`
  .hero { display: grid; justify-items: center; gap: 14px; text-align: center; }
  .hero .stack { max-inline-size: 300px; overflow-wrap: anywhere; }
  .badge-round { inline-size: 56px; block-size: 56px; border-radius: 50%; display: grid; place-items: center; background: var(--_surface-2); color: var(--_text-2); }
  .badge-round .i { inline-size: 28px; block-size: 28px; }
  .badge-round.good { background: var(--_success-soft); color: var(--_success); }
  .badge-round.bad { background: var(--_danger-soft); color: var(--_danger); }
  .badge-round.warn { background: var(--_caution-soft); color: var(--_caution); }
  .badge-round.acc { background: var(--_accent-soft); color: var(--_accent-text); }
  /* The name of a site fits beside another button. */
  .actions .btn { padding-inline: 10px; }
`;

/** Badge, title and a sentence, centred. Needs `statusStyles`. */
export function hero(
  tone: 'good' | 'bad' | 'warn' | 'acc' | '',
  mark: SVGTemplateResult,
  title: unknown,
  text?: unknown,
): TemplateResult {
  return html`<div class="hero">
    <span class="badge-round ${tone}">${icon(mark)}</span>
    <div class="stack tight">
      <h1 class="h1" tabindex="-1">${title}</h1>
      <p class="muted">${text}</p>
    </div>
  </div>`;
}

/** Opens the explorer in a new tab, without opener or referrer. */
export function explorerLink(url: string): TemplateResult {
  return html`<a class="btn secondary lg" href=${url} target="_blank" rel="noopener noreferrer"
    >${icon(iconExternal(), 's')}<span>${msg('View on explorer')}</span></a
  >`;
}

/** Text for a page's live regions. Must never contain PIN digits, recovery words or a key. */
export interface Announcement {
  text: string;
  /** Interrupts the screen reader: for errors and dangers only. */
  assertive?: boolean | undefined;
}

declare global {
  interface HTMLElementEventMap {
    'cbf-announce': CustomEvent<Announcement>;
  }
}
