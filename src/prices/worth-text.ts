/** How a value is written, with its currency. */
import type { Worth } from './prices.ts';

/** What may leave is rounded up, what is there down. */
export type Rounding = 'up' | 'down';

/** Shorter ages go without saying. */
const YOUNG = 5 * 60_000;

/** Formats in the language in which the amounts beside it are written. */
export type NumbersOf = (options: Intl.NumberFormatOptions) => Intl.NumberFormat;

/** `$612.50`, `< $0.01`. */
export function worthText({ value, currency }: Worth, rounding: Rounding, numbers: NumbersOf): string {
  const format = numbers({ style: 'currency', currency });
  const scale = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  // 0.1 × 3 is a little over 0.3, and must not be 0.31.
  const units = Number((value * scale).toPrecision(12));
  if (value > 0 && units < 1) return `< ${format.format(1 / scale)}`;
  return format.format((rounding === 'up' ? Math.ceil(units) : Math.floor(units)) / scale);
}

/** Whole minutes since the price was that; 0 for one from this minute. */
export function minutesOld({ at }: Pick<Worth, 'at'>, now: number): number {
  return Math.max(0, Math.floor((now - at) / 60_000));
}

export function isOld({ at }: Pick<Worth, 'at'>, now: number): boolean {
  return now - at >= YOUNG;
}
