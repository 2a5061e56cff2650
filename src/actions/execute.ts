import type { ChainRequest } from '../chains/chain.ts';
import type { TransactionRequest } from '../chains/requests.ts';
import type { TransactionResult } from '../channel/messages.ts';
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
  const body = chainRequest(request);
  const { type, secretType } = body;
  return checked(
    context,
    [{ type, secretType }],
    () => payloadsOf(context, body)?.parse(body),
    () => context.host.approve('execute', body, options),
  );
}

/** A native request or the body of a build, as far as it can be checked without its chain. */
export function chainRequest(request: unknown, path = ''): ChainRequest {
  return transaction(request, ['walletId', 'type'], path) as ChainRequest;
}
