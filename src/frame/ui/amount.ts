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

/** Every digit: `1,802.25042`. Without trusted decimals, the number of smallest units. */
export function figure({ raw, decimals }: Figure): string {
  return grouped(decimals === null ? String(raw) : formatAmount(raw, decimals));
}

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

/** The large amount of a view that is about this amount only. Needs `amountStyles`. */
export function headline(amount: Amount): TemplateResult {
  const unit = amount.decimals === null ? msg(str`smallest units of ${amount.symbol}`) : amount.symbol;
  return html`<p class="amount">${figure(amount)} <small>${unit}</small></p>`;
}

/** An amount shown shortened; its accessible name has every digit. */
export function shortened(shown: string, exact: string): TemplateResult {
  // Trailing zeros make no difference.
  const plain = (text: string): string => text.replace(/(\.\d*?)0+(?= |$)/, '$1').replace(/\.(?= |$)/, '');
  if (plain(shown) === plain(exact)) return money(shown);
  return html`<bdi dir="ltr" title=${exact}><span aria-hidden="true">${shown}</span><span class="sr">${exact}</span></bdi>`;
}

/** Significant digits in headings and rows. */
export const SIGNIFICANT = 6;

/** Decimal places that keep this many significant digits: 6 for `0.00041901` and three, 1 for `12.5` and three. */
function placesFor({ raw, decimals }: Figure, significant: number): number {
  if (!decimals) return 0;
  const digits = String(raw).length;
  const whole = digits - decimals;
  return Math.min(decimals, Math.max(0, significant - whole));
}

/** Rounded up to this many decimal places, all of them written. */
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

/** `0.000420 ETH`: never shown as less than it is. */
export function feeText(fee: Amount): TemplateResult {
  return shortened(withUnit(ceiling(fee, feePlaces(fee)), fee), amountText(fee));
}

/** The same without its unit. */
export function feeFigure(fee: Amount): TemplateResult {
  return shortened(ceiling(fee, feePlaces(fee)), figure(fee));
}

/** The most that can leave, `fee` included: rounded up to six significant digits, or to the fee's decimal places if those are more. */
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
  /** `0.0000`: leading zeros, dim. */
  lead: string;
  /** `213213`: at most six significant digits, but the integer part is never cut. */
  head: string;
  /** `2221…`: at most four more, dim. */
  tail: string;
  /** Whether digits are left out. */
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
