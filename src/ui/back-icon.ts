import { type SVGTemplateResult, svg } from 'lit';

/** Needs the `flip` style. */
export const iconBack = (): SVGTemplateResult => svg`<path d="M19 12H5.5m5.5-6-6 6 6 6"/>`;
