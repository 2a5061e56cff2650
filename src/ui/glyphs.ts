/** The marks of the chains on a 24 grid, `currentColor`. */
import { type SVGTemplateResult, svg } from 'lit';

export const glyphAeternity = (): SVGTemplateResult =>
  svg`<path d="M12 12H7.8a2.6 2.6 0 1 0 0 5.2c2.4 0 4.2-2 4.2-5.2V9.7a2.7 2.7 0 0 0-4.8-1.7M12 12h6.2c0-3-1.3-5-3.2-5s-3 1.7-3 4.3v1.7c0 2.6 1.5 4.2 3.5 4.2 1.2 0 2.1-.5 2.7-1.4"/>`;
export const glyphBitcoin = (): SVGTemplateResult =>
  svg`<path d="M9 6.5v11m0-11h3.6a2.6 2.6 0 0 1 0 5.3H9m0 0h4.2a2.8 2.8 0 0 1 0 5.7H9"/>`;
export const glyphEthereum = (): SVGTemplateResult => svg`<path d="M7.5 7.5h9M9 12h6M7.5 16.5h9"/>`;
export const glyphGochain = (): SVGTemplateResult => svg`<path d="M16.6 8.6A5.4 5.4 0 1 0 17.4 12.6H13"/>`;
export const glyphLitecoin = (): SVGTemplateResult => svg`<path d="M9 6.5v11h7.5"/>`;
export const glyphTron = (): SVGTemplateResult => svg`<path d="M6.5 7.5h11M12 7.5v10"/>`;
export const glyphVechain = (): SVGTemplateResult => svg`<path d="m6.5 7 5.5 10.5L17.5 7"/>`;
