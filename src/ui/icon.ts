/** Draws one of `icons.ts`; always beside words or inside a named control, so hidden from assistive technology. */
import { html, type SVGTemplateResult, type TemplateResult } from 'lit';

/** `size`: `s` 16 px, none 20 px, `l` 24 px. */
export const icon = (paths: SVGTemplateResult, size = ''): TemplateResult =>
  html`<svg class="i ${size}" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;
