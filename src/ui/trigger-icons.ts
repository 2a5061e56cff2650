/** Icons of triggers, separate from `icons.ts` so that `connect.js` contains no others. */
import { type SVGTemplateResult, svg } from 'lit';

export const iconPen = (): SVGTemplateResult =>
  svg`<path d="M4 19.5c2.5-.5 3-2.5 4.5-5S12 7 15 4.5c2 0 4 1.5 4.5 3.5-2 3.5-5 6-9 7.5M4 19.5h9"/>`;
export const iconSwap = (): SVGTemplateResult =>
  svg`<path d="M8 5v14m-3.5-3.5L8 19l3.5-3.5M16 19V5m-3.5 3.5L16 5l3.5 3.5"/>`;
export const iconWallet = (): SVGTemplateResult =>
  svg`<path d="M4 8.5A2.5 2.5 0 0 1 6.5 6H17a1.5 1.5 0 0 1 1.5 1.5V9"/><rect x="4" y="8.5" width="16.5" height="11" rx="2.5"/><path d="M16.2 14h.1"/>`;
