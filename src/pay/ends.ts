/** Views with one message and one button. */
import { html, nothing, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { PayPage } from '../api/pay.ts';
import { iconCheck, iconDanger } from '../ui/icons.ts';
import { iconClock, iconOffline } from '../ui/list-icons.ts';
import { hero } from '../ui/status.ts';
import { msg, plural, str } from '../base/localize.ts';
import { priceText } from '../ui/amount-text.ts';
import { isFree, merchantLine } from './summary.ts';

export function end(top: unknown, middle: TemplateResult, below: unknown): TemplateResult {
  return html`<div class="checkout">
    <div class="co-end">
      <div>${top}${middle}${below}</div>
    </div>
  </div>`;
}

function backTo({ merchant }: PayPage, url: string): TemplateResult {
  return html`<a class="btn primary lg block" href=${url}><span>${msg(str`Back to ${merchant}`)}</span></a>`;
}

/** Opens in a new tab: this one leads back to the shop. */
function receiptLink(): TemplateResult {
  const url = `?receipt${location.search.replace('?', '&')}`;
  return html`<a class="btn text" href=${url} target="_blank" rel="noopener"
    ><span>${msg('View the receipt')}</span></a
  >`;
}

/** A payment that this page made. */
export interface CompletedPayment {
  name: string;
  last4: string;
  /** Of a payment by card. */
  email: string;
  /** If paid from a wallet: `0.0131 ETH`. */
  coins?: string | undefined;
  redirect: string;
}

type SendMail = (email: string) => Promise<unknown>;

/** The field for an address, which `receipt-mail.ts` draws. */
const mailField = ({ receiptMail }: PayPage, send: SendMail): TemplateResult | typeof nothing =>
  receiptMail ? html`<pay-receipt-mail .send=${send}></pay-receipt-mail>` : nothing;

export function paidView(
  page: PayPage,
  { name, last4, email, coins, redirect }: CompletedPayment,
  send: SendMail,
): TemplateResult {
  const total = priceText(page.amountTotal, page.currency);
  const thanks = name ? msg(str`Thank you, ${name}`) : msg('Thank you');
  return end(
    merchantLine(page, true),
    html`${hero('good', iconCheck(), thanks, isFree(page) ? msg(str`${page.merchant} has your order.`) : msg(str`${page.merchant} has your payment.`))}
      <dl class="kv">
        <div><dt>${msg('Paid')}</dt><dd>${isFree(page) ? msg('Free') : html`<bdi dir="ltr">${total}</bdi>`}</dd></div>
        ${coins ? html`<div><dt>${msg('From your wallet')}</dt><dd><bdi dir="ltr">${coins}</bdi></dd></div>` : nothing}
        ${last4 ? html`<div><dt>${msg('Card')}</dt><dd><bdi dir="ltr">•••• ${last4}</bdi></dd></div>` : nothing}
        ${page.receiptMail && email ? html`<div><dt>${msg('Receipt')}</dt><dd><bdi>${email}</bdi></dd></div>` : nothing}
      </dl>`,
    html`${last4 ? nothing : mailField(page, send)} ${backTo(page, redirect)}${receiptLink()}`,
  );
}

/** Shown for a session that had already ended when the page loaded it. */
export function closedView(page: PayPage, send: SendMail): TemplateResult {
  const { merchant, redirect } = page;
  const minutes = Math.round((page.expiresAt - page.createdAt) / 60_000);
  const [tone, mark, title, text]: ['good' | 'warn', SVGTemplateResult, string, string] =
    page.status === 'complete'
      ? [
          'good',
          iconCheck(),
          isFree(page) ? msg('This order is already complete') : msg('This is already paid'),
          isFree(page)
            ? msg(str`${merchant} has your order.`)
            : msg(
                str`You paid ${priceText(page.amountTotal, page.currency)} to ${merchant}. You cannot be charged again.`,
              ),
        ]
      : page.cancelled
        ? [
            'warn',
            iconClock(),
            msg('This checkout was cancelled'),
            msg(str`You went back to ${merchant}. You have not been charged.`),
          ]
        : [
            'warn',
            iconClock(),
            msg('This checkout has expired'),
            plural(
              minutes,
              msg('It was open for 1 minute. You have not been charged.'),
              msg(str`It was open for ${minutes} minutes. You have not been charged.`),
            ),
          ];
  return end(
    merchantLine(page, true),
    html`${hero(tone, mark, title, text)}`,
    html`${page.receipt ? mailField(page, send) : nothing}${redirect ? backTo(page, redirect) : nothing}${page.receipt ? receiptLink() : nothing}`,
  );
}

export function unknownView(): TemplateResult {
  const title = msg('This checkout does not exist');
  const text = msg('Check that the link is complete, or start again from the shop.');
  return end(nothing, html`${hero('bad', iconDanger(), title, text)}`, nothing);
}

export function unreachableView(again: () => void): TemplateResult {
  return offline(
    msg('This checkout did not load'),
    msg('You have not been charged. Check your connection and try again.'),
    again,
  );
}

export function offline(title: string, text: string, again: () => void): TemplateResult {
  return end(
    nothing,
    html`${hero('warn', iconOffline(), title, text)}`,
    html`<button type="button" class="btn primary lg block" @click=${again}><span>${msg('Try again')}</span></button>`,
  );
}

export function loadingView(): TemplateResult {
  return end(
    nothing,
    html`<span class="spin l"></span><p class="muted" role="status">${msg('Loading')}</p>`,
    nothing,
  );
}
