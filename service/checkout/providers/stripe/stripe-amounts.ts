/** Amounts in Stripe's units (https://docs.stripe.com/currencies), which differ from ISO 4217's for some currencies. */
import { currencyDigits } from '../../../../src/api/currency.ts';
import { RequestInvalidError } from '../../../../src/base/errors.ts';

const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '));

function stripeDigits(currency: string): number {
  if (WHOLE.has(currency)) return 0;
  return THOUSANDTHS.has(currency) ? 3 : 2;
}

/** Throws `request.invalid` at `path` for an amount that is no multiple of Stripe's unit, or, with three decimals, that does not end in 0. */
export function stripeAmount(minorUnits: number, currency: string, path: string): number {
  const amount = minorUnits * 10 ** (stripeDigits(currency) - currencyDigits(currency));
  if (THOUSANDTHS.has(currency) && amount % 10 !== 0)
    throw new RequestInvalidError([
      { path, message: `must end in 0: the payment provider takes two decimals of ${currency}` },
    ]);
  if (Number.isSafeInteger(amount)) return amount;
  throw new RequestInvalidError([
    { path, message: `must be whole ${currency}: the payment provider takes no fractions` },
  ]);
}
