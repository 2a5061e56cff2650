/** The language in which numbers are formatted. */
import { html, type TemplateResult } from 'lit';

let language: string | undefined;
export let integers: Intl.NumberFormat;
/** The decimal separator. */
export let point: string;

/** Always uses Latin digits, which can be typed into the fields. */
export const numbers = (options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { numberingSystem: 'latn', ...options });

/**
 * The browser's language, as for dates, or the user's choice; never one set by the page: "1.000" is a thousand to some readers and one
 * to others.
 */
export function writeAmountsIn(chosen?: string): void {
  language = chosen;
  integers = numbers();
  point = integers.format(0.5).charAt(1);
}
writeAmountsIn();

/** Dims leading zeros: those of `0.0000213 ETH`. */
export const drawn = (text: string): unknown => {
  const lead = /^0\D0+(?=[1-9])/.exec(text)?.[0];
  return lead ? html`<span class="lead0">${lead}</span>${text.slice(lead.length)}` : text;
};

/** An amount within other text, always left to right: `1.284 ETH`. */
export const amountText = (text: string): TemplateResult => html`<bdi dir="ltr">${drawn(text)}</bdi>`;
