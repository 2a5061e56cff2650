/** Activity glyphs. Their arrows show direction, and are not mirrored in right-to-left languages. */
import { type SVGTemplateResult, svg } from 'lit';

export const iconOut = (): SVGTemplateResult => svg`<path d="M7 17 17 7M9 7h8v8"/>`;
export const iconIn = (): SVGTemplateResult => svg`<path d="M17 7 7 17m8 0H7V9"/>`;
export const iconLimit = (): SVGTemplateResult =>
  svg`<path d="M12 3.5 19 6v5.5c0 4.3-2.9 7.3-7 9-4.1-1.7-7-4.7-7-9V6z"/>`;
export const iconFast = (): SVGTemplateResult => svg`<path d="M13 3.5 5.5 13.5h6l-.5 7 7.5-10h-6z"/>`;
