import type { ChainRequest } from '../chains/chain.ts';
import type { Payloads } from '../chains/payloads.ts';
import type { TransactionResult } from '../channel/messages.ts';
import type { Context } from './context.ts';
import { transaction } from './arguments.ts';
import type { CallOptions } from './types.ts';

/** Signs and sends a native transaction, or what `build` made. Amounts are in smallest units. Resolves at broadcast. */
export function execute(
  context: Context,
  request: ChainRequest,
  options: CallOptions,
): Promise<TransactionResult> {
  return context.host.approve('execute', chainRequest(context, request), options);
}

/** Checked by its chain's schema if that was preloaded; the frame checks it in any case. */
export function chainRequest({ payloads }: Context, request: unknown, path = ''): ChainRequest {
  const body = transaction(request, ['walletId', 'type'], path) as ChainRequest;
  payloadsOf(payloads, body)?.parse(body);
  return body;
}

/** Build bodies name their chain; a native `type` belongs to one chain only. */
function payloadsOf(payloads: Context['payloads'], body: ChainRequest): Payloads | undefined {
  const named = body['secretType'];
  for (const [secretType, of] of payloads)
    if (named === undefined ? Object.hasOwn(of.transactions, body.type) : named === secretType) return of;
  return undefined;
}
