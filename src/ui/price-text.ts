/** Prices, as a merchant asks them: on the payment page and in the wallet alike. */
import { currencyDigits } from '../api/currency.ts';
import { numbers } from '../ui/numbers.ts';

/**
 * Minor units in the reader's language, exact whatever the currency's number of decimals. Digits are those that can be typed, as of all
 * amounts.
 */
export function priceText(minorUnits: number, currency: string, locale?: string): string {
  const decimals = currencyDigits(currency);
  const options: Intl.NumberFormatOptions = {
    numberingSystem: 'latn',
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  };
  const format = locale ? new Intl.NumberFormat(locale, options) : numbers(options);
  const digits = String(minorUnits).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  // As text: numbers lose digits beyond 2^53.
  return format.format(
    (decimals ? `${whole}.${digits.slice(-decimals)}` : whole) as Intl.StringNumericLiteral,
  );
}
