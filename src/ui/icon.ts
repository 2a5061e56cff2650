/** Draws an icon of `icons.ts`. Hidden from assistive technology: it is always next to text or inside a labelled control. */
import { html, type SVGTemplateResult, type TemplateResult } from 'lit';

/** `size`: `s` 16 px, none 20 px, `l` 24 px. */
export const icon = (paths: SVGTemplateResult, size = ''): TemplateResult =>
  html`<svg class="i ${size}" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;
