/** In which language numbers are written. */
import { html, type TemplateResult } from 'lit';

let language: string | undefined;
export let integers: Intl.NumberFormat;
/** Between the integer part and the decimals. */
export let point: string;

/** Digits are always those that can be typed into the fields. */
export const numbers = (options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { numberingSystem: 'latn', ...options });

/**
 * The browser's language, as for dates, or the user's choice; never one that a page names: "1.000" is a thousand to some, and one to
 * others.
 */
export function writeAmountsIn(chosen?: string): void {
  language = chosen;
  integers = numbers();
  point = integers.format(0.5).charAt(1);
}
writeAmountsIn();

/** Zeros before the first digit that counts are dim: those of `0.0000213 ETH`. */
export const drawn = (text: string): unknown => {
  const lead = /^0\D0+(?=[1-9])/.exec(text)?.[0];
  return lead ? html`<span class="lead0">${lead}</span>${text.slice(lead.length)}` : text;
};

/** An amount inside other text stays left to right: `1.284 ETH`. */
export const amountText = (text: string): TemplateResult => html`<bdi dir="ltr">${drawn(text)}</bdi>`;
