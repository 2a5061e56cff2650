import type { BuildBody, NativeTransaction } from '../chains/requests.ts';
import type { Context } from './context.ts';
import { chainRequest } from './execute.ts';
import { whereabouts } from './linked-wallet.ts';
import { checked, payloadsOf } from './preload.ts';
import type { CallOptions } from './types.ts';

/** Turns a TRANSFER, GAS_TRANSFER, TOKEN_TRANSFER, NFT_TRANSFER or CONTRACT_EXECUTION body into the native request for `execute`. */
export function build(context: Context, body: BuildBody, options: CallOptions): Promise<NativeTransaction> {
  const copy = chainRequest(context, body);
  const { type, secretType } = copy;
  return checked(
    context,
    [{ type, secretType }],
    () => payloadsOf(context, copy)?.parse(copy),
    () => {
      const { secretType: _, ...where } = whereabouts(context, copy.walletId);
      return context.host.read('build', { body: copy, ...where }, options);
    },
  );
}
