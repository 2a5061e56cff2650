import { html, type SVGTemplateResult, type TemplateResult } from 'lit';
import { icon } from './icon.ts';
import { iconExternal } from './icons.ts';
import { msg } from '../base/localize.ts';

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
