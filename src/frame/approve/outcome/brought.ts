/** What a swap brought, by the logs of its transaction. */
import type { Amount, Receipt, Summary, SwapTerms } from '../../../chains/chain.ts';

/** Undefined where the logs do not show it, as of a coin. */
export function brought(
  { output, recipient }: SwapTerms,
  arrivals: Receipt['arrivals'] = [],
): Amount | undefined {
  const raw = arrivals
    .filter(({ token, to }) => token === output.token?.toLowerCase() && to === recipient.toLowerCase())
    .reduce((sum, one) => sum + one.raw, 0n);
  return raw ? { ...output, raw } : undefined;
}

/** The receipt as the activity keeps it. */
export function withBrought(
  summary: Pick<Summary, 'swap' | 'parts'> | undefined,
  receipt: Receipt,
): Receipt & { got?: bigint } {
  const swap = summary?.swap ?? summary?.parts?.find((part) => part.swap)?.swap;
  const got = swap && brought(swap, receipt.arrivals);
  return got ? { ...receipt, got: got.raw } : receipt;
}
