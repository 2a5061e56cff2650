import { css, html, type TemplateResult } from 'lit';
import { formatAmount } from '../../chains/amount.ts';
import type { Amount } from '../../chains/chain.ts';
import { grouped } from '../../ui/amount-text.ts';
import { msg, str } from '../../ui/localize.ts';

export const amountStyles = css`
  .amount { inline-size: fit-content; direction: ltr; unicode-bidi: isolate; font-size: var(--_fs-3xl); font-weight: 640; letter-spacing: -.028em; line-height: 1.1; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .amount small { font-size: .56em; font-weight: 560; letter-spacing: 0; color: var(--_text-2); }
`;

type Figure = Pick<Amount, 'raw' | 'decimals'>;

/** The exact figure, every digit: `1,802.250420`. Without trusted decimals the raw number of smallest units. */
export function figure({ raw, decimals }: Figure): string {
  return grouped(decimals === null ? String(raw) : formatAmount(raw, decimals));
}

function withUnit(shown: string, { decimals, symbol }: Pick<Amount, 'decimals' | 'symbol'>): string {
  return decimals === null ? msg(str`${shown} smallest units of ${symbol}`) : `${shown} ${symbol}`;
}

/** `0.25 ETH`, or `1,000,000 smallest units of USDX` when nobody we trust told the decimals. Every digit. */
export function amountText(amount: Amount): string {
  return withUnit(figure(amount), amount);
}

/** An amount inside other text, kept left to right. */
export function money(amount: Amount | string): TemplateResult {
  return html`<bdi dir="ltr">${typeof amount === 'string' ? amount : amountText(amount)}</bdi>`;
}

/** The large amount of a view that is about nothing else. Needs `amountStyles`. */
export function headline(amount: Amount): TemplateResult {
  const unit = amount.decimals === null ? msg(str`smallest units of ${amount.symbol}`) : amount.symbol;
  return html`<p class="amount">${figure(amount)} <small>${unit}</small></p>`;
}

/** What is shown of an amount, whose accessible name has every digit. */
export function shortened(shown: string, exact: string): TemplateResult {
  // Zeros at the end are no other figure.
  const plain = (text: string): string => text.replace(/(\.\d*?)0+(?= |$)/, '$1').replace(/\.(?= |$)/, '');
  if (plain(shown) === plain(exact)) return money(shown);
  return html`<bdi dir="ltr" title=${exact}><span aria-hidden="true">${shown}</span><span class="sr">${exact}</span></bdi>`;
}

/** Digits that count, in headings and rows. */
export const SIGNIFICANT = 6;

/** Places after the point that keep so many significant digits: of `0.00041901` and 3 it is 6, of `12.5` it is 1. */
function placesFor({ raw, decimals }: Figure, significant: number): number {
  if (!decimals) return 0;
  const digits = String(raw).length;
  const whole = digits - decimals;
  return Math.min(decimals, Math.max(0, significant - whole));
}

/** Rounded up to so many places after the point, all of which are written. */
function ceiling({ raw, decimals }: Figure, places: number): string {
  if (decimals === null) return grouped(String(raw));
  const step = 10n ** BigInt(decimals - places);
  const up = ((raw + step - 1n) / step).toString().padStart(places + 1, '0');
  return grouped(places ? `${up.slice(0, -places)}.${up.slice(-places)}` : up);
}

/** A fee has three significant digits, rounded up: `0.000420`. */
function feePlaces(fee: Figure): number {
  return fee.raw ? placesFor(fee, 3) : 0;
}

/** `0.000420 ETH`: never less than it is. */
export function feeText(fee: Amount): TemplateResult {
  return shortened(withUnit(ceiling(fee, feePlaces(fee)), fee), amountText(fee));
}

/** The same without its unit, which stands beside it. */
export function feeFigure(fee: Amount): TemplateResult {
  return shortened(ceiling(fee, feePlaces(fee)), figure(fee));
}

/** What leaves at most, `fee` in it: rounded up to six significant digits, or to those of the fee. */
export function mostText(total: Amount, fee?: Amount): TemplateResult {
  const { raw, decimals } = total;
  if (!decimals || !raw) return money(total);
  const exact = figure(total);
  const written = exact.split('.')[1]?.length ?? 0;
  const ofFee = fee?.decimals === decimals ? feePlaces(fee) : 0;
  const places = Math.max(ofFee, Math.min(written, placesFor(total, SIGNIFICANT)));
  return shortened(withUnit(ceiling(total, places), total), amountText(total));
}

export interface Digits {
  /** `0.0000`: zeros that do not count, dim. */
  lead: string;
  /** `213213`: six significant digits at most, but a whole part is never cut. */
  head: string;
  /** `2221…`: up to four more, dim. */
  tail: string;
  /** Something is not shown. */
  cut: boolean;
}

/** What a heading shows of an exact figure such as `993.009000026973107811`. */
export function digitsOf(exact: string): Digits {
  const [whole = '', fraction = ''] = exact.split('.');
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const digits = fraction.slice(zeros);
  const room = whole === '0' ? SIGNIFICANT : Math.max(0, SIGNIFICANT - whole.replaceAll(',', '').length);
  const head = digits.slice(0, room);
  const rest = digits.slice(room);
  const point = fraction ? '.' : '';
  const cut = rest.length > 4;
  const tail = rest.slice(0, 4) + (cut ? '…' : '');
  if (zeros) return { lead: `0.${'0'.repeat(zeros)}`, head, tail, cut };
  return head
    ? { lead: '', head: `${whole}${point}${head}`, tail, cut }
    : { lead: '', head: whole, tail: `${point}${tail}`, cut };
}

/** In a row: six significant digits, then “…”. */
export function rowText(amount: Amount): TemplateResult {
  const exact = figure(amount);
  const { lead, head, tail } = digitsOf(exact);
  return shortened(withUnit(tail ? `${lead}${head}…` : exact, amount), amountText(amount));
}
