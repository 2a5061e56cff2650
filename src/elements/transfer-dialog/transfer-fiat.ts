/** Typing the amount of `<transfer-dialog>` in the user's currency. Loaded once there is a price. The amount in coins is what is sent. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Worth } from '../../prices/prices.ts';
import { isNumber, typedAmount } from '../../ui/typed-amount.ts';
import { fieldText } from '../../ui/amount-text.ts';
import { icon, iconSwap } from '../../ui/icons.ts';
import { msg, str } from '../../base/localize.ts';
import { type UnitPrice, unitPrice } from '../../ui/worth.ts';
import { ignore } from '../connect-element.ts';
import type { TransferForm } from './transfer-form.ts';

export class FiatAmount {
  /** The text in the field. */
  text: string;
  /** The newest price, which applies from the next key press. */
  next: UnitPrice;

  /** `price`: the one by which `text` was converted to coins, so that both stay consistent while prices move. */
  constructor(
    private readonly form: TransferForm,
    private price: UnitPrice,
  ) {
    const { amount } = form.fields;
    this.next = price;
    this.text = isNumber(amount) ? price.typed(amount) : '';
  }

  /** The typed amount in coins, in the form in which it would be typed. */
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
    return html`<p part="hint" class="help">${msg(str`${`1 ${symbol}`} is ${one} at ${at}. The amount in ${symbol} is what is sent.`)}</p>`;
  }
}

/** The amount in the other unit, as a button that switches to it. `one`: current price; `worth`: value of the typed amount. */
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
  return html`<button
    type="button"
    class="btn text mini toggle"
    @click=${change}
  >${icon(iconSwap(), 's')}<span class="sr">${fiat ? msg(str`Enter ${symbol}`) : price!.enter}, </span><span class="num">${other}</span></button>`;
}
