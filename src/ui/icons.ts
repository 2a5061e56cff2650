/** Icons on a 24 px grid, in `currentColor`: of triggers, the frame's shell, PIN fields and approvals. All others are in `list-icons.ts`. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

/**
 * Draws an icon. Hidden from assistive technology: it is always next to text or inside a labelled control. `size`: `s` 16 px, none 20 px,
 * `l` 24 px.
 */
export const icon = (paths: SVGTemplateResult, size = ''): TemplateResult =>
  html`<svg class="i ${size}" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

export const iconBack = (): SVGTemplateResult => svg`<path d="M19 12H5.5m5.5-6-6 6 6 6"/>`;
export const iconCarabiner = (): SVGTemplateResult =>
  svg`<g transform="rotate(16 12 12)"><path d="M16.5 15.5v.5a4.5 4.5 0 0 1-9 0V8a4.5 4.5 0 0 1 9 0v.8"/><path d="m16.5 15.5-2.3-6.5"/></g>`;
export const iconCaution = (): SVGTemplateResult =>
  svg`<path d="M12 4.5 20.5 19h-17z"/><path d="M12 10.5v4m0 2.2v.1"/>`;
export const iconCheck = (): SVGTemplateResult => svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`;
export const iconChevronDown = (): SVGTemplateResult => svg`<path d="m6.5 9.5 5.5 5.5 5.5-5.5"/>`;
export const iconClose = (): SVGTemplateResult => svg`<path d="m6.5 6.5 11 11m0-11-11 11"/>`;
export const iconCopy = (): SVGTemplateResult =>
  svg`<rect x="8.5" y="8.5" width="11" height="11" rx="2.5"/><path d="M15.5 5.5a1.5 1.5 0 0 0-1.5-1H7A2.5 2.5 0 0 0 4.5 7v7a1.5 1.5 0 0 0 1 1.5"/>`;
export const iconDanger = (): SVGTemplateResult =>
  svg`<path d="M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7z"/><path d="M12 8v5m0 3v.1"/>`;
export const iconInfo = (): SVGTemplateResult =>
  svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 11.5V16m0-8v.1"/>`;
export const iconLock = (): SVGTemplateResult =>
  svg`<rect x="5.5" y="10.5" width="13" height="9.5" rx="2.5"/><path d="M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5"/>`;
export const iconPad = (): SVGTemplateResult =>
  svg`<path stroke-width="2.6" d="M6.5 6h.01M12 6h.01M17.5 6h.01M6.5 12h.01M12 12h.01M17.5 12h.01M12 18h.01"/>`;
export const iconPasskey = (): SVGTemplateResult =>
  svg`<circle cx="9" cy="8.5" r="3.5"/><path d="M3.5 19.5c.3-3.6 2.5-5.5 5.5-5.5.9 0 1.7.2 2.4.5"/><circle cx="17" cy="12.5" r="2.5"/><path d="M17 15v5.5l1.8-1.5M17 17.3h1.5"/>`;
export const iconPen = (): SVGTemplateResult =>
  svg`<path d="M4 19.5c2.5-.5 3-2.5 4.5-5S12 7 15 4.5c2 0 4 1.5 4.5 3.5-2 3.5-5 6-9 7.5M4 19.5h9"/>`;
export const iconPlus = (): SVGTemplateResult => svg`<path d="M12 5v14M5 12h14"/>`;
export const iconRefresh = (): SVGTemplateResult =>
  svg`<path d="M19.5 12a7.5 7.5 0 1 1-2.3-5.4L19.5 9M19.5 4.5V9H15"/>`;
export const iconSettings = (): SVGTemplateResult =>
  svg`<path d="M4 7.5h8m5 0h3M4 16.5h3m5 0h8"/><circle cx="14.5" cy="7.5" r="2.5"/><circle cx="9.5" cy="16.5" r="2.5"/>`;
export const iconSwap = (): SVGTemplateResult =>
  svg`<path d="M8 5v14m-3.5-3.5L8 19l3.5-3.5M16 19V5m-3.5 3.5L16 5l3.5 3.5"/>`;
export const iconWallet = (): SVGTemplateResult =>
  svg`<path d="M4 8.5A2.5 2.5 0 0 1 6.5 6H17a1.5 1.5 0 0 1 1.5 1.5V9"/><rect x="4" y="8.5" width="16.5" height="11" rx="2.5"/><path d="M16.2 14h.1"/>`;
