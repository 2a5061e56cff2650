import type { SignResult } from '../channel/messages.ts';
import type { SignParams } from '../channel/schema.ts';
import type { Context } from './context.ts';
import { transaction } from './arguments.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

/** Signs `data`, which is hex. `prefix` (default true) marks it as a message, so that it can never be a transaction. */
export function sign(
  { host, payloads }: Context,
  params: SignParams,
  options: CallOptions,
): Promise<SignResult> {
  const body = transaction(params, ['type', 'walletId', 'data']) as SignParams;
  for (const name of ['prefix', 'hash'] as const)
    if (body[name] !== undefined && typeof body[name] !== 'boolean')
      throw invalid(name, 'must be true or false');
  for (const of of payloads.values()) if (Object.hasOwn(of.signatures, body.type)) of.parseSigning(body);
  return host.approve('sign', body, options);
}
