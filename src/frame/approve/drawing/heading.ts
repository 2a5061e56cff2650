/** Amounts in headings: six significant digits, then up to four dim ones. */
import { html, type TemplateResult } from 'lit';
import { formatAmount } from '../../../base/amount.ts';
import type { Amount } from '../../../chains/chain.ts';
import { numbers } from '../../../ui/amount-text.ts';
import { msg, str } from '../../../base/localize.ts';
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
