/** The link to a payment provider that takes cards on its own page. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PayPage } from '../api/pay.ts';
import { alert } from '../ui/alert.ts';
import { amountText, priceText } from '../ui/amount-text.ts';
import { msg, str } from '../base/localize.ts';
import type { Problem } from './pay-form.ts';

export interface CardLink {
  page: PayPage;
  redirect: string;
  problem: Problem | undefined;
  busy: boolean;
  back: () => void;
}

export function cardLink({ page, redirect, problem, busy, back }: CardLink): TemplateResult {
  const total = priceText(page.amountTotal, page.currency);
  return html`<section class="co-way" aria-labelledby="card-title">
    <h1 class="title" id="card-title" tabindex="-1">${msg('Pay with card')}</h1>
    ${problem ? alert(problem.level, problem) : nothing}
    <p class="muted">${msg(
      str`You pay on the page of the payment processor, which leads back to ${page.merchant}.`,
    )}</p>
    <a class="btn primary lg block" href=${redirect}><span dir="auto">${msg(html`Pay ${amountText(total)}`)}</span></a>
    <button type="button" class="btn text back" aria-disabled=${busy ? 'true' : nothing} @click=${back}>
      <span>${msg(str`Back to ${page.merchant}`)}</span>
    </button>
  </section>`;
}
