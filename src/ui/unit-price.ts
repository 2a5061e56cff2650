/** Lets the user type an amount in their currency instead of coins. The amount in coins is what is sent. */
import type { Worth } from '../prices/prices.ts';
import { numbers } from './amount-text.ts';
import { fieldText } from './assets.ts';
import { leftToRight } from './isolated.ts';
import { language, msg, str } from '../base/localize.ts';
import { isNumber } from './typed-amount.ts';
import { worthText } from './worth.ts';

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
