/** How a value is drawn: always beside the coin, with its age. */
import { html, type TemplateResult } from 'lit';
import type { Worth } from '../prices/prices.ts';
import { isOld, minutesOld, type Rounding, worthText } from '../prices/worth-text.ts';
import { numbers } from './amount-text.ts';
import { msg, str } from './localize.ts';

/** `price of 12 minutes ago`. */
export function ageText(worth: Pick<Worth, 'at'>, now: number): string {
  const minutes = minutesOld(worth, now);
  if (!minutes) return msg('price of this minute');
  return minutes === 1 ? msg('price of 1 minute ago') : msg(str`price of ${minutes} minutes ago`);
}

/** How a value is drawn. `says`: an old price says so in words; elsewhere in its title, and to screen readers. */
export interface Look {
  rounding: Rounding;
  now: number;
  says?: boolean;
}

export function worthOf(worth: Worth, { rounding, now, says = false }: Look): TemplateResult {
  const text = worthText(worth, rounding, numbers);
  const age = ageText(worth, now);
  if (!isOld(worth, now)) return html`<bdi dir="ltr" title=${age}>${text}</bdi>`;
  return says
    ? html`<bdi dir="ltr">${text}</bdi> · ${age}`
    : html`<bdi dir="ltr" title=${age}>${text}<span class="sr"> (${age})</span></bdi>`;
}
