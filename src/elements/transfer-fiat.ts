/** The amount of `<transfer-dialog>` typed in the user's currency. Loaded once there is a price. What is sent is the amount in coins. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Worth } from '../prices/prices.ts';
import { fieldText, typedAmount } from '../ui/assets.ts';
import { icon } from '../ui/icon.ts';
import { iconSwap } from '../ui/trigger-icons.ts';
import { msg, str } from '../ui/localize.ts';
import { isNumber } from '../ui/typed-amount.ts';
import { type UnitPrice, unitPrice } from '../ui/unit-price.ts';
import { ignore } from './connect-element.ts';
import type { TransferForm } from './transfer-form.ts';

export class FiatAmount {
  /** As it stands in the field. */
  text: string;
  /** The newest price: that of the next digit. */
  next: UnitPrice;

  /** `price`: at which `text` became coins, so that they belong together while prices move. */
  constructor(
    private readonly form: TransferForm,
    private price: UnitPrice,
  ) {
    const { amount } = form.fields;
    this.next = price;
    this.text = isNumber(amount) ? price.typed(amount) : '';
  }

  /** What the typed text is in coins, as it would be typed. */
  typed(text: string): string {
    this.text = text;
    this.price = this.next;
    return fieldText(this.price.coins(typedAmount(text), this.form.fields.asset?.decimals ?? 0));
  }

  get sign(): TemplateResult {
    return html`<bdi class="unit" dir="ltr">${this.price.sign}</bdi>`;
  }

  get help(): TemplateResult {
    const { one, at } = this.price;
    const { symbol = '' } = this.form.fields.asset ?? {};
    return html`<p class="help">${msg(str`1 ${symbol} is ${one} at ${at}. The amount in ${symbol} is what is sent.`)}</p>`;
  }
}

/** The other unit, as a button that changes to it. `one`: what one is worth by now; `worth`: what is typed is. */
export function toggle(
  form: TransferForm,
  one: Worth | undefined,
  worth: TemplateResult | typeof nothing,
): TemplateResult | typeof nothing {
  const { fields, host, fiat } = form;
  const { symbol = '' } = fields.asset ?? {};
  const price = unitPrice(one);
  if (fiat && price) fiat.next = price;
  const change = () => {
    form.fiat = fiat || !price ? undefined : new FiatAmount(form, price);
    host.requestUpdate();
    host.updateComplete.then(() => host.renderRoot.querySelector<HTMLElement>('#value')?.focus(), ignore);
  };
  if (!fiat && !price) return nothing;
  const other = fiat
    ? html`<bdi dir="ltr">${isNumber(fields.amount) ? fields.value : '0'} ${symbol}</bdi>`
    : worth === nothing
      ? html`<bdi dir="ltr">${price!.worth('0')}</bdi>`
      : worth;
  return html`<button type="button" class="btn text mini toggle" @click=${change}>${icon(iconSwap(), 's')}<span class="sr">${fiat ? msg(str`Enter ${symbol}`) : price!.enter}, </span><span class="num">${other}</span></button>`;
}
