/** A request's position among several, in the header. */
import { html, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';

export interface Step {
  index: number;
  of: number;
}

const words = ({ index, of }: Step): string => msg(str`${index + 1} of ${of}`);

export const stepText = (step: Step): TemplateResult => html`<span class="sm muted">${words(step)}</span>`;

/** With several waiting: opens their list. */
export const stepButton = (step: Step, open: () => void): TemplateResult =>
  html`<button type="button" class="btn quiet mini" aria-label=${msg(str`Request ${step.index + 1} of ${step.of}, show all`)}
    @click=${open}>${words(step)}</button>`;
