/** Parses amounts as people type them. */
import { decimalText } from '../chains/amount.ts';
import { msg, str } from '../base/localize.ts';
import { point } from './numbers.ts';

/** Thousands grouped by any separator, with optional decimals after a different one. */
const GROUPED = /^([1-9]\d{0,2}([.,'’\s])(?:\d\d\d?\2)*\d{3})(?:(?!\2)[.,](\d*))?$/;

/**
 * Normalizes `0,25`, `.25` and `1 234,5` to a decimal point. A comma remains in `1,234`, which may be a thousand or one: the user is
 * asked. Only the language's own decimal separator is unambiguous.
 */
export function typedAmount(text: string): string {
  const typed = text.trim();
  const [, whole = '', mark = '', fraction] = GROUPED.exec(typed) ?? [];
  if (/^\d+[.,]\d{3}$/.test(typed) && whole && mark !== point) return typed.replace(mark, ',');
  if (whole && typed.replace(/\d/g, '') !== point)
    return `${whole.replace(/\D/g, '')}${fraction ? `.${fraction}` : ''}`;
  return typed.replace(/^(\d*)[.,](\d*)$/, (_, units, rest) => `${units || 0}${rest && `.${rest}`}`);
}

/** Whether `typedAmount` left it ambiguous: `1,234` may be a thousand or one. */
export const isUnclear = (amount: string): boolean => /^\d+,\d{3}$/.test(amount);

/** Whether a normalized amount is a number, even an unfinished one such as `1.`. */
export const isNumber = (amount: string): boolean => /^\d+(\.\d*)?$/.test(amount);

/** What is wrong with the format of a typed amount. */
export function formError(amount: string): string | undefined {
  try {
    decimalText(amount);
    return undefined;
  } catch {
    const [units, thousandths] = amount.split(',');
    return isUnclear(amount)
      ? msg(str`${units}${thousandths} or ${units}${point}${thousandths}?`)
      : msg(str`Enter a number, for example ${`0${point}25`}.`);
  }
}
