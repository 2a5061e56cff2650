import type { ChainRequest } from '../chains/chain.ts';
import type { TransactionRequest } from '../chains/requests.ts';
import type { TransactionResult } from '../channel/messages.ts';
import { approve } from './approve.ts';
import type { Context } from './context.ts';
import { transaction } from './arguments.ts';
import { checked, payloadsOf } from './preload.ts';
import type { CallOptions } from './types.ts';

/** Signs and sends a native transaction, or what `build` made. Amounts are in smallest units. Resolves at broadcast. */
export function execute(
  context: Context,
  request: TransactionRequest,
  options: CallOptions,
): Promise<TransactionResult> {
  const body = chainRequest(context, request);
  const { type, secretType } = body;
  return checked(
    context,
    [{ type, secretType }],
    () => payloadsOf(context, body)?.parse(body),
    () => approve(context, 'execute', body, options),
  );
}

/** A native request or the body of a build, as far as it can be checked without its chain. */
export function chainRequest({ record }: Context, request: unknown, path = ''): ChainRequest {
  const body = transaction(request, ['walletId', 'type'], path) as ChainRequest;
  // The id of a linked wallet that holds a token stands for its address.
  const holder = body.type === 'NFT_TRANSFER' && record.wallets().find(({ id }) => id === body['from']);
  return holder ? { ...body, from: holder.address } : body;
}
