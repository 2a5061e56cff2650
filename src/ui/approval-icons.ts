/** Icons of approvals, separate from `icons.ts` so that loading an approval brings no others. */
import { type SVGTemplateResult, svg } from 'lit';

export const iconCheck = (): SVGTemplateResult => svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`;
export const iconChevronDown = (): SVGTemplateResult => svg`<path d="m6.5 9.5 5.5 5.5 5.5-5.5"/>`;
export const iconCopy = (): SVGTemplateResult =>
  svg`<rect x="8.5" y="8.5" width="11" height="11" rx="2.5"/><path d="M15.5 5.5a1.5 1.5 0 0 0-1.5-1H7A2.5 2.5 0 0 0 4.5 7v7a1.5 1.5 0 0 0 1 1.5"/>`;
export const iconInfo = (): SVGTemplateResult =>
  svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 11.5V16m0-8v.1"/>`;
