import { css, html, type TemplateResult } from 'lit';
import { formatAmount } from '../../base/amount.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { Amount } from '../../chains/coin.ts';
import {
  type Figure,
  figure,
  grouped,
  placesFor,
  point,
  rounded,
  rowFigure,
  shortened,
  SIGNIFICANT,
  written,
} from '../../ui/amount-text.ts';
import { msg, str } from '../../base/localize.ts';

export const amountStyles = css`
  .amount { inline-size: fit-content; direction: ltr; unicode-bidi: isolate; font-size: var(--_fs-3xl); font-weight: 640; letter-spacing: -.028em; line-height: 1.1; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .amount small { font-size: .56em; font-weight: 560; letter-spacing: 0; color: var(--_text-2); }
`;

export { figure };

function withUnit(shown: string, { decimals, symbol }: Pick<Amount, 'decimals' | 'symbol'>): string {
  return decimals === null ? msg(str`${shown} smallest units of ${symbol}`) : `${shown} ${symbol}`;
}

/** `0.25 ETH`, or `1,000,000 smallest units of USDX` if nobody we trust knows the decimals. Every digit. */
export function amountText(amount: Amount): string {
  return withUnit(figure(amount), amount);
}

/** An amount inside other text, kept left to right. */
export function money(amount: Amount | string): TemplateResult {
  return html`<bdi dir="ltr">${typeof amount === 'string' ? amount : amountText(amount)}</bdi>`;
}

/** The large amount of a view about a single amount. Needs `amountStyles`. */
export function headline(amount: Amount): TemplateResult {
  const unit = amount.decimals === null ? msg(str`smallest units of ${amount.symbol}`) : amount.symbol;
  return html`<p class="amount">${figure(amount)} <small>${unit}</small></p>`;
}

/** Rounded up to this many decimal places, trailing zeros included. */
function ceiling(
  amount: Figure,
  places: number,
  exact: string,
  unit: (shown: string) => string,
): TemplateResult {
  const up = rounded(amount, 'up', places);
  const text = unit(written(up, places));
  return shortened(text, up.exact ? text : exact);
}

/** A fee has three significant digits, rounded up: `0.000420`. */
function feePlaces(fee: Figure): number {
  return fee.raw ? placesFor(fee, 3) : 0;
}

/** `0.000420 ETH`: never shown as less than it is. */
export function feeText(fee: Amount): TemplateResult {
  return ceiling(fee, feePlaces(fee), amountText(fee), (shown) => withUnit(shown, fee));
}

/** The same without its unit. */
export function feeFigure(fee: Amount): TemplateResult {
  return ceiling(fee, feePlaces(fee), figure(fee), (shown) => shown);
}

/** The maximum that can leave, `fee` included: rounded up to six significant digits, or to the fee's decimal places if more. */
export function maximumText(total: Amount, fee?: Amount): TemplateResult {
  const { raw, decimals } = total;
  if (!decimals || !raw) return money(total);
  const places = formatAmount(raw, decimals).split('.')[1]?.length ?? 0;
  const ofFee = fee?.decimals === decimals ? feePlaces(fee) : 0;
  const most = Math.max(ofFee, Math.min(places, placesFor(total)));
  return ceiling(total, most, amountText(total), (shown) => withUnit(shown, total));
}

export interface Digits {
  /** `0.0000`: leading zeros, dim. */
  lead: string;
  /** `213213`: at most six significant digits, but the integer part is never cut. */
  head: string;
  /** `2221…`: at most four more, dim. */
  tail: string;
  /** Whether digits are left out. */
  cut: boolean;
}

/** The parts of an amount such as `993.009000026973107811` in a heading. */
export function digitsOf({ raw, decimals }: Figure): Digits {
  const [whole = '', fraction = ''] = formatAmount(raw, decimals ?? 0).split('.');
  const zeros = whole === '0' ? fraction.search(/[^0]|$/) : 0;
  const digits = fraction.slice(zeros);
  const room = whole === '0' ? SIGNIFICANT : Math.max(0, SIGNIFICANT - whole.length);
  const head = digits.slice(0, room);
  const rest = digits.slice(room);
  const cut = rest.length > 4;
  const tail = rest.slice(0, 4) + (cut ? '…' : '');
  if (zeros) return { lead: grouped(`0.${'0'.repeat(zeros)}`), head, tail, cut };
  const start = grouped(whole);
  return head
    ? { lead: '', head: `${start}${point}${head}`, tail, cut }
    : { lead: '', head: start, tail: tail && `${point}${tail}`, cut };
}

/** In a row: six significant digits, then “…”. */
export function rowText(amount: Amount): TemplateResult {
  return shortened(withUnit(rowFigure(amount), amount), amountText(amount));
}

/** `0.25 ETH`, `Unlimited USDC`, `3 clauses`. */
export function headlineText(summary: Summary): string {
  const { amount, unlimited, parts } = summary;
  if (isMixed(summary)) return msg(str`${parts!.length} clauses`);
  return unlimited ? msg(str`Unlimited ${amount.symbol}`) : amountText(amount);
}

/** Several clauses whose amounts have no common sum. */
export function isMixed({ parts, amount }: Summary): boolean {
  return !!parts && !amount.raw;
}
