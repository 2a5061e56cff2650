/** Parts of a balance that a form offers beside Max. */
import { html, type TemplateResult } from 'lit';
import { formatAmount, parseUnits } from '../chains/amount.ts';
import { numbers } from './amount-text.ts';
import { fieldText } from './assets.ts';
import type { BareFields } from './bare-fields.ts';

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
