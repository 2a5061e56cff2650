/** Numbers, amounts and prices, as the reader's language writes them. */
import { html, type TemplateResult } from 'lit';
import { currencyDigits } from '../api/currency.ts';
import { formatAmount } from '../base/amount.ts';

let language: string | undefined;
export let integers: Intl.NumberFormat;
/** The decimal separator. */
export let point: string;

/** Always uses Latin digits, which can be typed into the fields. */
export const numbers = (options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { numberingSystem: 'latn', ...options });

/**
 * The language of the texts, or the browser's: "1.000" is a thousand to some readers and one to others.
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

/** Null decimals: nobody we trust knows them, and the amount is in smallest units. */
export interface Figure {
  raw: bigint;
  decimals: number | null;
}

/** Significant digits in headings and rows. */
export const SIGNIFICANT = 6;

/** With the language's separators and every digit: `1802.11` becomes `1,802.11`. For display only. */
export const grouped = (plain: string): string =>
  plain.replace('.', point).replace(/\d+/, (whole) => integers.format(BigInt(whole)));

/** Every digit: `1,802.25042`. Without trusted decimals, the number of smallest units. */
export const figure = ({ raw, decimals }: Figure): string => grouped(formatAmount(raw, decimals ?? 0));

/** Decimal places that keep this many significant digits: for three, 6 in `0.00041901` and 1 in `12.5`. */
export function placesFor({ raw, decimals }: Figure, significant = SIGNIFICANT): number {
  return decimals ? Math.min(decimals, Math.max(0, significant - String(raw).length + decimals)) : 0;
}

/** Rounds to this many decimal places: holdings and receipts down, outgoing amounts up. */
export function rounded(
  amount: Figure,
  direction: 'down' | 'up',
  places = placesFor(amount),
): Figure & { exact: boolean } {
  const { raw, decimals } = amount;
  const step = 10n ** BigInt((decimals ?? 0) - places);
  const rest = raw % step;
  const up = rest && direction === 'up' ? step : 0n;
  return { raw: raw - rest + up, decimals, exact: !rest };
}

/** With exactly this many decimal places, trailing zeros included. */
export function written({ raw, decimals }: Figure, places: number): string {
  const [whole = '', fraction = ''] = formatAmount(raw, decimals ?? 0).split('.');
  return grouped(places ? `${whole}.${fraction.padEnd(places, '0')}` : whole);
}

/** Six significant digits, or the whole integer part, then “…” if digits are cut off. Outgoing amounts are rounded up instead. */
export function rowFigure(amount: Figure, direction: 'down' | 'up' = 'down'): string {
  const places = placesFor(amount);
  const short = rounded(amount, direction, places);
  return short.exact || direction === 'up' ? figure(short) : `${written(short, places)}…`;
}

/** Displayed short; the accessible name has every digit. */
export const shortened = (shown: string, exact: string): TemplateResult =>
  shown === exact
    ? amountText(shown)
    : html`<bdi dir="ltr" title=${exact}><span aria-hidden="true">${drawn(shown)}</span><span class="sr">${exact}</span></bdi>`;

/** In a row: `993.009… DUSD`. */
export const rowAmount = (amount: Figure, symbol = '', direction?: 'down' | 'up'): TemplateResult =>
  shortened(`${rowFigure(amount, direction)} ${symbol}`.trim(), `${figure(amount)} ${symbol}`.trim());

interface Balance {
  rawBalance: string;
  decimals: number;
  symbol: string | null;
}

/** `1.284 ETH`. */
export const nativeText = ({ rawBalance, decimals, symbol }: Balance): TemplateResult =>
  rowAmount({ raw: BigInt(rawBalance), decimals }, symbol ?? '');

/**
 * A merchant's price: minor units in the reader's language, exact for any number of decimals. Latin digits, as for all amounts.
 */
export function priceText(minorUnits: number, currency: string, locale?: string): string {
  const decimals = currencyDigits(currency);
  const options: Intl.NumberFormatOptions = {
    numberingSystem: 'latn',
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  };
  const format = locale ? new Intl.NumberFormat(locale, options) : numbers(options);
  const digits = String(minorUnits).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  // Formatted from a string: numbers lose digits beyond 2^53.
  return format.format(
    (decimals ? `${whole}.${digits.slice(-decimals)}` : whole) as Intl.StringNumericLiteral,
  );
}

/** With the language's decimal separator, for a field: `0,25`. */
export const fieldText = (plain: string): string => plain.replace('.', point);

/** Whether an amount fits into its field only in a smaller font, like most "Max" amounts. */
export const isLong = (typed: string): boolean => typed.length > 11;
