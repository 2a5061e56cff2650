/** Icons of the frame's shell and PIN field, separate from `icons.ts` so that the frame's first load brings no others. */
import { type SVGTemplateResult, svg } from 'lit';

export const iconCarabiner = (): SVGTemplateResult =>
  svg`<g transform="rotate(16 12 12)"><path d="M16.5 15.5v.5a4.5 4.5 0 0 1-9 0V8a4.5 4.5 0 0 1 9 0v.8"/><path d="m16.5 15.5-2.3-6.5"/></g>`;
export const iconCaution = (): SVGTemplateResult =>
  svg`<path d="M12 4.5 20.5 19h-17z"/><path d="M12 10.5v4m0 2.2v.1"/>`;
export const iconClose = (): SVGTemplateResult => svg`<path d="m6.5 6.5 11 11m0-11-11 11"/>`;
export const iconDanger = (): SVGTemplateResult =>
  svg`<path d="M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7z"/><path d="M12 8v5m0 3v.1"/>`;
export const iconLock = (): SVGTemplateResult =>
  svg`<rect x="5.5" y="10.5" width="13" height="9.5" rx="2.5"/><path d="M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5"/>`;
export const iconPad = (): SVGTemplateResult =>
  svg`<path stroke-width="2.6" d="M6.5 6h.01M12 6h.01M17.5 6h.01M6.5 12h.01M12 12h.01M17.5 12h.01M12 18h.01"/>`;
export const iconPasskey = (): SVGTemplateResult =>
  svg`<circle cx="9" cy="8.5" r="3.5"/><path d="M3.5 19.5c.3-3.6 2.5-5.5 5.5-5.5.9 0 1.7.2 2.4.5"/><circle cx="17" cy="12.5" r="2.5"/><path d="M17 15v5.5l1.8-1.5M17 17.3h1.5"/>`;
export const iconSettings = (): SVGTemplateResult =>
  svg`<path d="M4 7.5h8m5 0h3M4 16.5h3m5 0h8"/><circle cx="14.5" cy="7.5" r="2.5"/><circle cx="9.5" cy="16.5" r="2.5"/>`;
