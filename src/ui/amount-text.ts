/** Formats amounts for elements, wallet and payment page. */
import { html, type TemplateResult } from 'lit';
import { formatAmount } from '../chains/format-amount.ts';
import { amountText, drawn, integers, point } from './numbers.ts';

export { amountText, numbers, point, writeAmountsIn } from './numbers.ts';

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
