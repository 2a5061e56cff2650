/** Amounts as people type them. */
import { decimalText } from '../chains/amount.ts';
import { msg, str } from './localize.ts';
import { point } from './numbers.ts';

/** Whole thousands in groups, by any separator, and perhaps decimals after another one. */
const GROUPED = /^([1-9]\d{0,2}([.,'’\s])(?:\d\d\d?\2)*\d{3})(?:(?!\2)[.,](\d*))?$/;

/**
 * A typed amount with a point: of `0,25`, `.25`, `1 234,5`. Where a comma remains, as in `1,234`, it may be a thousand or one: the user is
 * asked. Only the language's own decimal separator is beyond doubt.
 */
export function typedAmount(text: string): string {
  const typed = text.trim();
  const [, whole = '', mark = '', fraction] = GROUPED.exec(typed) ?? [];
  if (/^\d+[.,]\d{3}$/.test(typed) && whole && mark !== point) return typed.replace(mark, ',');
  if (whole && typed.replace(/\d/g, '') !== point)
    return `${whole.replace(/\D/g, '')}${fraction ? `.${fraction}` : ''}`;
  return typed.replace(/^(\d*)[.,](\d*)$/, (_, units, rest) => `${units || 0}${rest && `.${rest}`}`);
}

/** `1,234` of `typedAmount`: a thousand or one. */
export const isUnclear = (amount: string): boolean => /^\d+,\d{3}$/.test(amount);

/** Of an amount with a point: one that can be calculated with, if only as far as it is typed. */
export const isNumber = (amount: string): boolean => /^\d+(\.\d*)?$/.test(amount);

/** What is wrong with the form of a typed amount. */
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
