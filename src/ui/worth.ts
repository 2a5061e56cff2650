/** Draws the fiat value of an amount, always next to the amount, with the age of the price. */
import { html, type TemplateResult } from 'lit';
import { language, msg, str } from '../base/localize.ts';
import type { Worth } from '../prices/prices.ts';
import { fieldText, numbers } from './amount-text.ts';
import { leftToRight } from './text.ts';
import { isNumber } from './typed-amount.ts';

/** Outgoing amounts are rounded up, holdings down. */
export type Rounding = 'up' | 'down';

/** `$612.50`, `under $0.01`. `under`: the latter in other words. */
export function worthText(
  { value, currency }: Pick<Worth, 'value' | 'currency'>,
  rounding: Rounding,
  under = (cent: string): string => msg(str`under ${cent}`),
): string {
  const format = numbers({ style: 'currency', currency });
  const scale = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  // Floating point: 0.1 × 3 is slightly above 0.3, which must not become 0.31.
  const units = Number((value * scale).toPrecision(12));
  if (value > 0 && units < 1) return under(format.format(1 / scale));
  return format.format((rounding === 'up' ? Math.ceil(units) : Math.floor(units)) / scale);
}

/** Shorter ages of a price are not shown. */
const YOUNG = 5 * 60_000;

/** Whole minutes since the price was valid; 0 if less than one. */
function minutesOld({ at }: Pick<Worth, 'at'>, now: number): number {
  return Math.max(0, Math.floor((now - at) / 60_000));
}

function isOld({ at }: Pick<Worth, 'at'>, now: number): boolean {
  return now - at >= YOUNG;
}

/** `price of 12 minutes ago`. */
function ageText(worth: Pick<Worth, 'at'>, now: number): string {
  const minutes = minutesOld(worth, now);
  if (!minutes) return msg('price updated in the last minute');
  return minutes === 1 ? msg('price of 1 minute ago') : msg(str`price of ${minutes} minutes ago`);
}

/**
 * `says`: show the age of an old price as text, in full or briefly, as by default; `false` only where there is no room and another amount
 * of the same view says it: then it is in the title and for screen readers.
 */
export interface Look {
  rounding: Rounding;
  now: number;
  says?: boolean | 'briefly';
}

export function worthOf(worth: Worth, { rounding, now, says = 'briefly' }: Look): TemplateResult {
  const text = worthText(worth, rounding);
  const age = ageText(worth, now);
  if (!isOld(worth, now)) return html`<bdi dir="ltr" title=${age}>${text}</bdi>`;
  if (says === 'briefly')
    return html`<span title=${age}><bdi dir="ltr">${text}</bdi> · ${msg(str`${minutesOld(worth, now)} min old`)}</span>`;
  return says
    ? html`<bdi dir="ltr">${text}</bdi> · ${age}`
    : html`<bdi dir="ltr" title=${age}>${text}<span class="sr"> (${age})</span></bdi>`;
}

// Lets the user type an amount in their currency instead of coins. The amount in coins is what is sent.

export interface UnitPrice {
  /** The price of one, for a sentence: `$2,450.00`. */
  one: string;
  /** The time of that price: `11:02`. */
  at: string;
  /** `$`. */
  sign: string;
  /** The label of the button that switches to the currency. */
  enter: string;
  /** The value of a normalized amount: `$612.50`. */
  worth(amount: string): string;
  /** The same in the form that is typed. */
  typed(amount: string): string;
  /** The coins that an amount of the currency buys: six significant digits, rounded down. Text that is not a number is returned as is. */
  coins(fiat: string, decimals: number): string;
}

const SIGNIFICANT = 6;

/** `one`: the value of one coin or token. */
export function unitPrice(one: Worth | undefined): UnitPrice | undefined {
  if (!one || !(one.value > 0)) return undefined;
  const { value: price, currency, at } = one;
  const format = numbers({ style: 'currency', currency });
  const { maximumFractionDigits: places = 2 } = format.resolvedOptions();
  const valueOf = (amount: string): number => (isNumber(amount) ? Number(amount) * price : 0);
  return {
    one: leftToRight(format.format(price)),
    at: new Date(at).toLocaleTimeString(language, { timeStyle: 'short' }),
    sign: format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
    enter: currency === 'USD' ? msg('Enter dollars') : msg(str`Enter ${nameOf(currency)}`),
    worth: (amount) => worthText({ value: valueOf(amount), currency }, 'down'),
    typed: (amount) => fieldText(String(Number(valueOf(amount).toFixed(places)))),
    coins(fiat, decimals) {
      if (!isNumber(fiat)) return fiat;
      const coins = Number(fiat) / price;
      if (!(coins > 0)) return '0';
      const shown = Math.min(decimals, 20, Math.max(0, SIGNIFICANT - 1 - Math.floor(Math.log10(coins))));
      const scale = 10 ** shown;
      // Floating point: 2.3 × 100 is slightly below 230, which must not become 229.
      const down = Math.floor(Number((coins * scale).toPrecision(12))) / scale;
      return down
        .toFixed(shown)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
    },
  };
}

function nameOf(currency: string): string {
  const { locale } = numbers().resolvedOptions();
  return new Intl.DisplayNames(locale, { type: 'currency' }).of(currency) ?? currency;
}
