import type { ChainRequest } from '../chains/chain.ts';
import type { Context } from './context.ts';
import { chainRequest } from './execute.ts';
import { linkedWallet } from './linked-wallet.ts';
import type { CallOptions } from './types.ts';

/** Turns a TRANSFER, GAS_TRANSFER, TOKEN_TRANSFER, NFT_TRANSFER or CONTRACT_EXECUTION body into the native request for `execute`. */
export function build(context: Context, body: ChainRequest, options: CallOptions): Promise<ChainRequest> {
  const checked = chainRequest(context, body);
  const { address } = linkedWallet(context, checked.walletId);
  return context.host.read('build', { body: checked, address }, options);
}
