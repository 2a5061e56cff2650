/** How old a value is. */
import type { Worth } from './prices.ts';

/** Shorter ages go without saying. */
const YOUNG = 5 * 60_000;

/** Whole minutes since the price was that; 0 for one from this minute. */
export function minutesOld({ at }: Pick<Worth, 'at'>, now: number): number {
  return Math.max(0, Math.floor((now - at) / 60_000));
}

export function isOld({ at }: Pick<Worth, 'at'>, now: number): boolean {
  return now - at >= YOUNG;
}
