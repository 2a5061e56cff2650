import type { ChainRequest } from '../chains/chain.ts';
import type { Context } from './context.ts';
import { chainRequest } from './execute.ts';
import { whereabouts } from './linked-wallet.ts';
import { payloadsOf } from './preload.ts';
import type { CallOptions } from './types.ts';

/** Turns a TRANSFER, GAS_TRANSFER, TOKEN_TRANSFER, NFT_TRANSFER or CONTRACT_EXECUTION body into the native request for `execute`. */
export function build(context: Context, body: ChainRequest, options: CallOptions): Promise<ChainRequest> {
  const copy = chainRequest(body);
  payloadsOf(context, copy)?.parse(copy);
  const { secretType: _, ...where } = whereabouts(context, copy.walletId);
  return context.host.read('build', { body: copy, ...where }, options);
}
