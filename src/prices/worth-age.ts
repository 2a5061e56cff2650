/** The age of a price. */
import type { Worth } from './prices.ts';

/** Shorter ages are not shown. */
const YOUNG = 5 * 60_000;

/** Whole minutes since the price was valid; 0 if less than one. */
export function minutesOld({ at }: Pick<Worth, 'at'>, now: number): number {
  return Math.max(0, Math.floor((now - at) / 60_000));
}

export function isOld({ at }: Pick<Worth, 'at'>, now: number): boolean {
  return now - at >= YOUNG;
}
