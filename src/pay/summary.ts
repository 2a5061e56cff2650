/** The side with the order summary, and what every view shows of the shop. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PayPage } from '../api/pay.ts';
import { language, msg, str } from '../base/localize.ts';
import { priceText } from '../ui/amount-text.ts';

export function merchantLine(
  { merchant, branding }: Pick<PayPage, 'merchant' | 'branding'>,
  small = false,
): TemplateResult {
  const size = small ? 'small' : '';
  const mark = branding?.icon
    ? html`<img class="co-icon ${size}" src=${branding.icon} alt="" width="40" height="40" />`
    : html`<span class="co-icon ${size}" aria-hidden="true">${[...merchant][0]?.toUpperCase()}</span>`;
  return html`<div class="line">${mark}<span class="strong co-who">${merchant}</span></div>`;
}

/** `11:52` */
export const timeOf = (at: number): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at);

export const expiry = (ends: number): string => msg(str`Expires at ${timeOf(ends)}`);

/** `ends`: when the checkout expires, by the customer's clock; 0 if it does not. A price has the page's only countdown. */
export function summary(page: PayPage, ends: number): TemplateResult {
  const text = (amount: number): string => priceText(amount, page.currency);
  const total = text(page.amountTotal);
  return html`<section class="co-sum" aria-label=${msg('Order summary')}>
    ${merchantLine(page)}
    <div>
      <p class="sm soft">${msg('Pay')}</p>
      <p class="amount">${total}</p>
    </div>
    <ul class="stack mid">
      ${page.lineItems.map(
        ({ name, quantity, unitAmount, amount }) => html`<li class="co-item">
          <span>
            <span class="strong">${name}</span>
            ${quantity > 1 ? html`<bdi class="soft" dir="ltr">${quantity} × ${text(unitAmount)}</bdi>` : nothing}
          </span>
          <bdi class="num" dir="ltr">${text(amount)}</bdi>
        </li>`,
      )}
    </ul>
    <hr />
    <div class="co-item strong"><span>${msg('Total')}</span><bdi class="num" dir="ltr">${total}</bdi></div>
    ${ends ? html`<p class="xs soft end">${expiry(ends)}</p>` : nothing}
  </section>`;
}
