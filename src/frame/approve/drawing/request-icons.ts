/** Icons of effects without a coin, and of the button that scrolls to unseen parts. */
import { type SVGTemplateResult, svg } from 'lit';

export const iconCall = (): SVGTemplateResult => svg`<path d="m8.5 7.5-5 4.5 5 4.5m7-9 5 4.5-5 4.5"/>`;
export const iconPicture = (): SVGTemplateResult =>
  svg`<rect x="4" y="5" width="16" height="14" rx="2.5"/><circle cx="9" cy="10" r="1.5"/><path d="m5 17 4.5-4 3 2.5L16 11.5l4 4"/>`;
export const iconSign = (): SVGTemplateResult =>
  svg`<path d="M4 19.5c2.5-.5 3-2.5 4.5-5S12 7 15 4.5c2 0 4 1.5 4.5 3.5-2 3.5-5 6-9 7.5M4 19.5h9"/>`;
export const iconKey = (): SVGTemplateResult =>
  svg`<circle cx="8.5" cy="15.5" r="4"/><path d="m11.5 12.5 8-8m-3.5 3.5 2.5 2.5"/>`;
export const iconDown = (): SVGTemplateResult => svg`<path d="M12 5v13.5m-5.5-5.5 5.5 5.5 5.5-5.5"/>`;
