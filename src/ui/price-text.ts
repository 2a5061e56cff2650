/** Formats a merchant's prices, on the payment page and in the wallet. */
import { currencyDigits } from '../api/currency.ts';
import { numbers } from '../ui/numbers.ts';

/**
 * Minor units in the reader's language, exact for any number of decimals. Latin digits, as for all amounts.
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
  // Formatted from a string: numbers lose digits beyond 2^53.
  return format.format(
    (decimals ? `${whole}.${digits.slice(-decimals)}` : whole) as Intl.StringNumericLiteral,
  );
}
