import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

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
