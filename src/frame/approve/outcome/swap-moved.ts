/** What a swap actually took and yielded, according to its transaction's logs. Loaded when a swap ends. */
import type { Arrival } from '../../../chains/terms.ts';
import type { Amount } from '../../../chains/coin.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import type { Network } from '../../../chains/network.ts';
import { movedBy } from '../../../swaps/outcome.ts';
import { exchangeAt } from '../../../swaps/terms.ts';

/** Undefined if the logs do not show it. */
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
