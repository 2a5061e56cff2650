/** What the activity keeps of a receipt. */
import type { Receipt } from '../../../chains/chain.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Network } from '../../../chains/network.ts';
import { stateOn } from '../../../chains/nodes/confirmations.ts';

/** Decided once it has the network's confirmations, with what a swap brought by the transaction's logs. */
export async function recorded(
  network: Network,
  summary: Pick<Summary, 'swap' | 'from' | 'to' | 'parts'> | undefined,
  { mined, ...receipt }: Receipt,
): Promise<Omit<Receipt, 'mined'> & { got?: bigint }> {
  const kept = { ...receipt, state: stateOn(network, { ...receipt, mined }) };
  const part = summary?.parts?.find(({ swap }) => swap);
  const swapped = part ? { swap: part.swap, from: summary!.from, to: part.to } : summary;
  if (!swapped?.swap) return kept;
  const { got } = (await import('./swap-moved.ts')).swapMoved(network, swapped, receipt.arrivals);
  return got ? { ...kept, got: got.raw } : kept;
}
