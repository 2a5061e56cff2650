/** Apart from `icons.ts`: the payment page would load it at once with the others, and draws it only in a form that few open. */
import { type SVGTemplateResult, svg } from 'lit';

export const iconSwap = (): SVGTemplateResult =>
  svg`<path d="M8 5v14m-3.5-3.5L8 19l3.5-3.5M16 19V5m-3.5 3.5L16 5l3.5 3.5"/>`;
