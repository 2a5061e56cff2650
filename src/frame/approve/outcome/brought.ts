/** What a swap yielded, according to its transaction's logs. */
import type { Receipt } from '../../../chains/chain.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Network } from '../../../chains/network.ts';

/** The receipt as stored in the activity. */
export async function withBrought(
  network: Network,
  summary: Pick<Summary, 'swap' | 'from' | 'to' | 'parts'> | undefined,
  receipt: Receipt,
): Promise<Receipt & { got?: bigint }> {
  const part = summary?.parts?.find(({ swap }) => swap);
  const swapped = part ? { swap: part.swap, from: summary!.from, to: part.to } : summary;
  if (!swapped?.swap) return receipt;
  const { got } = (await import('./swap-moved.ts')).swapMoved(network, swapped, receipt.arrivals);
  return got ? { ...receipt, got: got.raw } : receipt;
}
