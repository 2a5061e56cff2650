import type { TradingPair } from '../api/swap.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import type { CallOptions } from './types.ts';

/** What can be swapped for what on the network of a linked wallet. Empty if it has no exchange. */
export function swapPairs(context: Context, id: string, options: CallOptions): Promise<TradingPair[]> {
  const { address: _, ...where } = whereabouts(context, id);
  return context.host.read('swapPairs', where, options);
}
