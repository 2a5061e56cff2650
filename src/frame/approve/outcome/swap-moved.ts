/** What a swap really took and brought, by the logs of its transaction. Loaded at the end of a swap. */
import type { Amount, Arrival } from '../../../chains/chain.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Network } from '../../../chains/network.ts';
import { movedBy } from '../../../swaps/outcome.ts';
import { exchangeAt } from '../../../swaps/terms.ts';

/** Undefined where the logs do not show it. */
export function swapMoved(
  network: Network,
  { swap, from, to }: Pick<Summary, 'swap' | 'from' | 'to'>,
  arrivals: readonly Arrival[] = [],
): { paid: Amount | undefined; got: Amount | undefined } {
  const exchange = to === null ? undefined : exchangeAt(network, to);
  if (!swap || !exchange) return { paid: undefined, got: undefined };
  const { input, output, recipient } = swap;
  const ends = { fromToken: input.token ?? '', toToken: output.token ?? '', from, to: recipient };
  const moved = movedBy(arrivals, exchange, ends);
  const amount = (of: Amount, raw: bigint | undefined) => (raw === undefined ? undefined : { ...of, raw });
  return { paid: amount(input, moved.input), got: amount(output, moved.output) };
}
