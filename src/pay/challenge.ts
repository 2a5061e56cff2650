/** Stands in for the bank's 3-D Secure challenge, which the tester answers here. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PayPage } from '../api/pay.ts';
import { alert } from '../ui/alert.ts';
import { amountText, priceText } from '../ui/amount-text.ts';
import { hero } from '../ui/status.ts';
import { iconLock } from '../ui/icons.ts';
import { msg } from '../base/localize.ts';
import type { Problem } from './pay-form.ts';
import { merchantLine } from './summary.ts';

export type Outcome = 'complete' | 'fail';

export interface Challenge {
  page: PayPage;
  /** Empty after a reload: no card data is stored. */
  last4: string;
  busy: boolean;
  problem: Problem | undefined;
  answer: (outcome: Outcome) => void;
}

export function challengeView({ page, last4, busy, problem, answer }: Challenge): TemplateResult {
  const total = amountText(priceText(page.amountTotal, page.currency));
  const text = last4
    ? msg(html`Pay ${total} to ${page.merchant} with the card ${amountText(`•••• ${last4}`)}?`)
    : msg(html`Pay ${total} to ${page.merchant}?`);
  const button = (outcome: Outcome, kind: string, label: string): TemplateResult =>
    html`<button
      type="button"
      class="btn ${kind} lg block"
      aria-disabled=${busy ? 'true' : nothing}
      @click=${() => answer(outcome)}
    >
      <span>${label}</span>
    </button>`;
  return html`<div class="checkout">
    <div class="co-end">
      <div>
        ${merchantLine(page, true)} ${hero('acc', iconLock(), msg('Your bank is asking'), text)}
        ${problem ? alert(problem.level, problem) : nothing}
        ${button('complete', 'primary', msg('Complete'))} ${button('fail', 'secondary', msg('Fail'))}
        ${busy ? html`<span class="spin"></span>` : nothing}
      </div>
    </div>
  </div>`;
}
