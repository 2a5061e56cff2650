import type { CreateSwap } from '../api/swap.ts';
import type { NativeTransaction } from '../chains/requests.ts';
import { record } from './arguments.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

const TEXTS = ['walletId', 'fromSecretType', 'toSecretType', 'orderType', 'exchange'];

/** The native requests that carry a swap out (spec 4.3.3), in their order. */
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
