import type { SwapOutcome } from '../api/swap.ts';
import type { Context } from './context.ts';
import { record } from './arguments.ts';
import { whereabouts } from './linked-wallet.ts';
import type { CallOptions, SwapSides } from './types.ts';

/** What a swap actually took and gave, from its transaction; null before it is confirmed. */
export function swapOutcome(
  context: Context,
  hash: string,
  given: SwapSides,
  options: CallOptions,
): Promise<SwapOutcome | null> {
  const { walletId, destinationWalletId, fromToken, toToken, exchange } = record(given, [
    'walletId',
    'exchange',
  ]) as SwapSides;
  const where = whereabouts(context, walletId);
  const { address: recipient } = destinationWalletId ? whereabouts(context, destinationWalletId) : where;
  const tokens = { fromToken: fromToken ?? '', toToken: toToken ?? '' };
  return context.host.read('swapOutcome', { ...where, ...tokens, hash, exchange, recipient }, options);
}
