/** Parses amounts as people type them. */
import { html, type TemplateResult } from 'lit';
import { msg, str } from '../base/localize.ts';
import { decimalText, formatAmount, parseUnits } from '../base/amount.ts';
import { fieldText, numbers, point } from './amount-text.ts';
import type { BareFields } from './transfer-fields.ts';

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
    return isUnclear(amount)
      ? msg(str`${amount.replace(',', '')} or ${amount.replace(',', point)}?`)
      : msg(str`Enter a number, for example ${`0${point}25`}.`);
  }
}

// Parts of a balance that a form offers beside Max.

const PERCENTS = [25, 50] as const;

/** Rounded down to the asset's decimals, and never more than Max. As the field shows it; empty while the balance is not known. */
export function partOf({ asset, maxSpendable }: BareFields, percent: number): string {
  if (!asset || asset.raw === null || asset.decimals === null || maxSpendable === undefined) return '';
  const part = (asset.raw * BigInt(percent)) / 100n;
  const most = parseUnits(maxSpendable, asset.decimals);
  return fieldText(formatAmount(part < most ? part : most, asset.decimals));
}

/** A button for each part. `fill` gets the amount. */
export function amountParts(
  fields: BareFields,
  look: string,
  fill: (value: string) => void,
): TemplateResult[] {
  const percent = numbers({ style: 'percent' });
  return PERCENTS.map(
    (part) =>
      html`<button type="button" class="btn ${look} mini" @click=${() => fill(partOf(fields, part))}>${percent.format(part / 100)}</button>`,
  );
}
