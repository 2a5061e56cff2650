import type { TransactionResult } from '../channel/messages.ts';
import type { TransferParams } from '../channel/ask-schema.ts';
import { approve } from './approve.ts';
import type { Context } from './context.ts';
import { transaction } from './arguments.ts';
import { invalid } from './plain.ts';
import { checked, payloadsOf } from './preload.ts';
import type { CallOptions } from './types.ts';

/** Sends coins or, with `tokenAddress`, tokens. `value` is in whole coins: `'0.25'`, `0.25` or `1n`. Resolves at broadcast. */
export function transfer(
  context: Context,
  params: TransferParams,
  options: CallOptions,
): Promise<TransactionResult> {
  const body = transaction(params, ['walletId', 'to', 'secretType']) as TransferParams;
  if (!['number', 'string', 'bigint'].includes(typeof body.value))
    throw invalid('value', 'is required: a number, a decimal text or a bigint');
  const { secretType } = body;
  return checked(
    context,
    [{ secretType }],
    () => payloadsOf(context, { secretType })?.parseTransfer(body),
    () => approve(context, 'transfer', body, options),
  );
}
