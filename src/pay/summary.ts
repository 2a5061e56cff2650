/** The side with the order summary, what every view shows of the shop, and the banner of a test checkout, with its cards. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PayPage } from '../api/pay.ts';
import { testCard } from '../api/test-cards.ts';
import { language, msg, str } from '../base/localize.ts';
import { priceText } from '../ui/amount-text.ts';
import { icon, iconCaution, iconChevronDown } from '../ui/icons.ts';
import { numberText } from './fields.ts';

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

/** No card and no wallet is needed. */
export const isFree = ({ amountTotal }: Pick<PayPage, 'amountTotal'>): boolean => amountTotal === 0;

/** `11:52` */
export const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString(language, { timeStyle: 'short' });

export const expiry = (ends: number): string => msg(str`Expires at ${timeOf(ends)}`);

/**
 * Stands over the end of the page, so that nothing moves away from whoever types. `extend` gets what had the focus before its button.
 */
export function moreTime(ends: number, extend: (before: EventTarget | null) => void): TemplateResult {
  let before: EventTarget | null = null;
  return html`<div class="alert caution co-more" role="alert">
    <span class="grow">${expiry(ends)}</span>
    <button
      type="button"
      class="btn secondary"
      @focus=${({ relatedTarget }: FocusEvent) => (before = relatedTarget)}
      @click=${() => extend(before)}
    ><span>${msg('More time')}</span></button>
  </div>`;
}

/** `ends`: when the checkout expires, by the customer's clock; 0 if it does not. A price has the page's only countdown. */
export function summary(page: PayPage, ends: number): TemplateResult {
  const text = (amount: number): string => priceText(amount, page.currency);
  const total = text(page.amountTotal);
  return html`<section class="co-sum" aria-label=${msg('Order summary')}>
    ${merchantLine(page)}
    <div>
      <p class="sm soft">${msg('Pay')}</p>
      <p class="amount">${isFree(page) ? msg('Free') : total}</p>
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

/** For testers: the failure reason under the name that the shop receives. */
function outcome(number: string): string {
  const card = testCard(number);
  const end = card?.decline ? msg(str`declined: ${card.decline}`) : msg('paid');
  return card?.challenge ? msg(str`the bank asks, then ${end}`) : end;
}

/** `use` fills in a card; absent if there is no form. */
export function testBanner(
  { cards, livemode }: Pick<PayPage, 'cards' | 'livemode'>,
  use?: (number: string) => void,
): TemplateResult | typeof nothing {
  if (livemode) return nothing;
  return html`<section class="alert caution test" aria-label=${msg('Test checkout')}>
    ${icon(iconCaution())}
    <div class="grow">
      <b>${msg('Test checkout')}</b>
      <p>${
        cards.length
          ? msg('No money moves here. Pay with a test card, and never enter a real one.')
          : msg('No money moves here.')
      }</p>
      ${
        use && cards.length
          ? html`<details>
            <summary>${msg('Test cards')}${icon(iconChevronDown(), 's')}</summary>
            <ul tabindex="0" aria-label=${msg('Test cards')}>
              ${cards.map(({ number }) => {
                const text = numberText(number);
                return html`<li>
                  <button
                    type="button"
                    class="btn"
                    aria-label=${msg(str`Use card ${text}`)}
                    @click=${() => use(number)}
                    >${text}</button
                  >
                  <span>${outcome(number)}</span>
                </li>`;
              })}
            </ul>
          </details>`
          : nothing
      }
    </div>
  </section>`;
}
