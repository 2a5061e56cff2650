import type { SignResult } from '../channel/messages.ts';
import type { SignParams } from '../channel/schema.ts';
import type { Context } from './context.ts';
import { transaction } from './arguments.ts';
import { invalid } from './plain.ts';
import { checked, payloadsOf } from './preload.ts';
import type { CallOptions } from './types.ts';

/** Signs `data`, which is hex. `prefix` (default true) marks it as a message, so that it can never be a transaction. */
export function sign(context: Context, params: SignParams, options: CallOptions): Promise<SignResult> {
  const body = transaction(params, ['type', 'walletId', 'data']) as SignParams;
  for (const name of ['prefix', 'hash'] as const)
    if (body[name] !== undefined && typeof body[name] !== 'boolean')
      throw invalid(name, 'must be true or false');
  const { type } = body;
  return checked(
    context,
    [{ type }],
    () => payloadsOf(context, { type })?.parseSigning(body),
    () => context.host.approve('sign', body, options),
  );
}
