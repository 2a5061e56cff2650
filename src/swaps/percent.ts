/** Percentages as exact parts per million: 0.3 % is 3,000. */
import { AmountError, parseUnits } from '../base/amount.ts';
import { invalid } from '../chains/requests/payloads.ts';

export const MILLION = 1_000_000n;

/** Parts per million of a percentage: `3000n` for `0.3`. */
export function ppmOf(percent: number): bigint {
  return BigInt(Math.round(percent * 10_000));
}

/** `part` of `whole` in percent, with at most 4 decimal places; 0 if negative. */
export function percentOf(part: bigint, whole: bigint): number {
  return part <= 0n || whole <= 0n ? 0 : Number((part * MILLION + whole / 2n) / whole) / 10_000;
}

/** `amount` less `ppm` of it, rounded down. */
export function less(amount: bigint, ppm: bigint): bigint {
  return (amount * (MILLION - ppm)) / MILLION;
}

/** `amount` plus `ppm` of it, rounded up. */
export function more(amount: bigint, ppm: bigint): bigint {
  return (amount * (MILLION + ppm) + MILLION - 1n) / MILLION;
}

const DEFAULT_SLIPPAGE = 0.5;
const MAX_SLIPPAGE = 500_000n;

/** The slippage in parts per million. Throws `request.invalid` at `slippage`. */
export function readSlippage(percent: number | string | undefined): bigint {
  try {
    const ppm = parseUnits(percent ?? DEFAULT_SLIPPAGE, 4);
    if (ppm <= MAX_SLIPPAGE) return ppm;
  } catch (error) {
    if (error instanceof AmountError) throw invalid('slippage', error.message);
    throw error;
  }
  throw invalid('slippage', 'must be at most 50 percent');
}
