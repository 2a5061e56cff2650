/** Draws the fiat value of an amount, always next to the amount, with the age of the price. */
import { html, type TemplateResult } from 'lit';
import type { Worth } from '../prices/prices.ts';
import { isOld, minutesOld } from '../prices/worth-age.ts';
import { numbers } from './amount-text.ts';
import { msg, str } from '../base/localize.ts';

/** Outgoing amounts are rounded up, holdings down. */
export type Rounding = 'up' | 'down';

/** `$612.50`, `under $0.01`. */
export function worthText(
  { value, currency }: Pick<Worth, 'value' | 'currency'>,
  rounding: Rounding,
): string {
  const format = numbers({ style: 'currency', currency });
  const scale = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  // Floating point: 0.1 × 3 is slightly above 0.3, which must not become 0.31.
  const units = Number((value * scale).toPrecision(12));
  if (value > 0 && units < 1) return msg(str`under ${format.format(1 / scale)}`);
  return format.format((rounding === 'up' ? Math.ceil(units) : Math.floor(units)) / scale);
}

/** `price of 12 minutes ago`. */
function ageText(worth: Pick<Worth, 'at'>, now: number): string {
  const minutes = minutesOld(worth, now);
  if (!minutes) return msg('price of this minute');
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
