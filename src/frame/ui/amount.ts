import { css, html, type TemplateResult } from 'lit';
import { formatAmount } from '../../chains/amount.ts';
import type { Amount } from '../../chains/chain.ts';
import { grouped } from '../../ui/amount-text.ts';
import { msg, str } from '../../ui/localize.ts';

export const amountStyles = css`
  .amount { inline-size: fit-content; direction: ltr; unicode-bidi: isolate; font-size: var(--_fs-3xl); font-weight: 640; letter-spacing: -.028em; line-height: 1.1; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .amount small { font-size: .56em; font-weight: 560; letter-spacing: 0; color: var(--_text-2); }
`;

/** The exact figure, every digit: `1,802.250420`. Without trusted decimals the raw number of smallest units. */
export function figure({ raw, decimals }: Pick<Amount, 'raw' | 'decimals'>): string {
  return grouped(decimals === null ? String(raw) : formatAmount(raw, decimals));
}

/** `0.25 ETH`, or `1,000,000 smallest units of USDX` when nobody we trust told the decimals. */
export function amountText(amount: Amount): string {
  return amount.decimals === null
    ? msg(str`${figure(amount)} smallest units of ${amount.symbol}`)
    : `${figure(amount)} ${amount.symbol}`;
}

/** An amount inside other text, kept left to right. */
export function money(amount: Amount | string): TemplateResult {
  return html`<bdi dir="ltr">${typeof amount === 'string' ? amount : amountText(amount)}</bdi>`;
}

/** The large amount of an approval. `text` replaces the figure: "Unlimited". Needs `amountStyles`. */
export function headline(amount: Amount, text?: string): TemplateResult {
  const unit =
    amount.decimals === null && !text ? msg(str`smallest units of ${amount.symbol}`) : amount.symbol;
  return html`<p class="amount">${text ?? figure(amount)} <small>${unit}</small></p>`;
}
