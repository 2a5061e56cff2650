import type { CreateSwap, ExchangeRates, SwapOutcome, TradingPair } from '../api/swap.ts';
import type { NativeTransaction } from '../chains/requests.ts';
import { record } from './arguments.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import { invalid } from './plain.ts';
import type { CallOptions, SwapQuery, SwapSides } from './types.ts';

/** What only swaps need, bundled into one file. */

/** What can be swapped for what on the network of a linked wallet. Empty if it has no exchange. */
export function swapPairs(context: Context, id: string, options: CallOptions): Promise<TradingPair[]> {
  const { address: _, ...where } = whereabouts(context, id);
  return context.host.read('swapPairs', where, options);
}

/** What every exchange pays for an amount, or charges for it. */
export function swapRates(context: Context, query: SwapQuery, options: CallOptions): Promise<ExchangeRates> {
  const { walletId, ...rest } = record(query, ['fromSecretType', 'toSecretType', 'orderType']);
  if (walletId === undefined) return context.host.read('swapRates', { query: rest }, options);
  const { network } = whereabouts(context, walletId as string);
  return context.host.read('swapRates', { query: rest, network }, options);
}

const TEXTS = ['walletId', 'fromSecretType', 'toSecretType', 'orderType', 'exchange'];

/** The native requests that carry a swap out, in their order. */
export function createSwap(
  context: Context,
  given: CreateSwap,
  options: CallOptions,
): Promise<NativeTransaction[]> {
  const body = record(given, TEXTS) as CreateSwap;
  const { walletId, fromSecretType, toSecretType, destinationWalletId } = body;
  const { secretType, address, network } = whereabouts(context, walletId);
  if (fromSecretType !== secretType)
    throw invalid('fromSecretType', `must be ${secretType}, as that of the wallet`);
  let recipient = address;
  if (destinationWalletId != null) {
    const to = whereabouts(context, destinationWalletId);
    if (to.secretType !== toSecretType)
      throw invalid('destinationWalletId', `must be a wallet of ${toSecretType}`);
    if (to.network !== network)
      throw invalid('destinationWalletId', 'must be on the same network as the wallet');
    recipient = to.address;
  }
  return context.host.read('createSwap', { body, address, recipient, network }, options);
}

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

/** The explorer's page for a transaction on the network of a linked wallet; null if the network has no explorer. */
export function transactionUrl(
  context: Context,
  hash: string,
  walletId: string,
  options: CallOptions,
): Promise<string | null> {
  if (typeof hash !== 'string' || !hash) throw invalid('hash', 'is required: the hash of a transaction');
  const { address: _, ...where } = whereabouts(context, walletId);
  return context.host.read('transactionUrl', { ...where, hash }, options);
}
