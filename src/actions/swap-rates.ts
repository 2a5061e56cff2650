import type { ExchangeRates } from '../api/swap.ts';
import { record } from './arguments.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import type { CallOptions, SwapQuery } from './types.ts';

/** What every exchange pays for an amount, or charges for it (spec 4.3.2). */
export function swapRates(context: Context, query: SwapQuery, options: CallOptions): Promise<ExchangeRates> {
  const { walletId, ...rest } = record(query, ['fromSecretType', 'toSecretType', 'orderType']);
  if (walletId === undefined) return context.host.read('swapRates', { query: rest }, options);
  const { network } = whereabouts(context, walletId as string);
  return context.host.read('swapRates', { query: rest, network }, options);
}
