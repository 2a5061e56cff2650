import { html, type SVGTemplateResult, type TemplateResult } from 'lit';
import { msg } from '../base/localize.ts';
import { icon } from './icons.ts';
import { iconExternal } from './list-icons.ts';

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
