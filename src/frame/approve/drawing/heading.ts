/** Amounts in headings: six significant digits, then up to four dim ones. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatAmount } from '../../../base/amount.ts';
import { msg, str } from '../../../base/localize.ts';
import type { Amount } from '../../../chains/coin.ts';
import { numbers } from '../../../ui/amount-text.ts';
import { amountText, digitsOf } from '../../ui/amount.ts';

/** With this many integer digits or more, a heading uses words: `250 billion`. */
const LONG = 12;

/** `unit` begins with a space. */
export type Pieces = [lead: string, head: string, tail: string, unit: string];

function unitOf({ decimals, symbol }: Amount): string {
  return decimals === null ? msg(str`smallest units of ${symbol}`) : symbol;
}

function pieces(amount: Amount): { shown: Pieces; cut: boolean } {
  const unit = ` ${unitOf(amount)}`;
  const [whole = ''] = formatAmount(amount.raw, amount.decimals ?? 0).split('.');
  if (whole.length >= LONG) return { shown: ['', inWords(whole), '', unit], cut: true };
  const { lead, head, tail, cut } = digitsOf(amount);
  return { shown: [lead, head, tail, unit], cut };
}

/** Rounded up: an outgoing amount is never shown as less than it is. */
function inWords(whole: string): string {
  const options: Intl.NumberFormatOptions & { roundingMode: string } = {
    notation: 'compact',
    compactDisplay: 'long',
    maximumFractionDigits: 2,
    roundingMode: 'ceil',
  };
  return numbers(options as Intl.NumberFormatOptions).format(BigInt(whole));
}

/** What a heading shows, as text. Its length decides the type size. */
export function headingText(amount: Amount): string {
  return pieces(amount).shown.join('');
}

/** In full if short; otherwise a press shows all digits. */
export function heading(amount: Amount): TemplateResult {
  const { shown, cut } = pieces(amount);
  const [lead, head, tail, unit] = shown;
  const drawn = html`<bdi dir="ltr"><span class="faint">${lead}</span>${head}<span class="faint">${tail}</span>${unit}</bdi>`;
  if (!cut) return drawn;
  void import('./digits.ts');
  return html`<cbf-digits title=${amountText(amount)} .amount=${amount} .shown=${shown}>${drawn}</cbf-digits>`;
}

// Icons of effects without a coin, and of the button that scrolls to unseen parts.

export const iconCall = (): SVGTemplateResult => svg`<path d="m8.5 7.5-5 4.5 5 4.5m7-9 5 4.5-5 4.5"/>`;
export const iconPicture = (): SVGTemplateResult =>
  svg`<rect x="4" y="5" width="16" height="14" rx="2.5"/><circle cx="9" cy="10" r="1.5"/><path d="m5 17 4.5-4 3 2.5L16 11.5l4 4"/>`;
export const iconSign = (): SVGTemplateResult =>
  svg`<path d="M4 19.5c2.5-.5 3-2.5 4.5-5S12 7 15 4.5c2 0 4 1.5 4.5 3.5-2 3.5-5 6-9 7.5M4 19.5h9"/>`;
export const iconKey = (): SVGTemplateResult =>
  svg`<circle cx="8.5" cy="15.5" r="4"/><path d="m11.5 12.5 8-8m-3.5 3.5 2.5 2.5"/>`;
export const iconDown = (): SVGTemplateResult => svg`<path d="M12 5v13.5m-5.5-5.5 5.5 5.5 5.5-5.5"/>`;
