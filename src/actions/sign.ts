import type { SignResult } from '../channel/messages.ts';
import type * as wire from '../channel/ask-schema.ts';
import { approve } from './approve.ts';
import type { Context } from './context.ts';
import { transaction } from './arguments.ts';
import { invalid, plain } from './plain.ts';
import { checked, payloadsOf } from './preload.ts';
import type { CallOptions, SignParams } from './types.ts';

/**
 * Signs `data`, which is hex, or typed data as an object or its JSON text. `prefix` (default true) marks bytes as a message, so that they can
 * never be a transaction; messages of chains that have a type for them are always marked. Typed data with fields or types that are not signed
 * is refused, or signed without them if `unsignedFields` is `omit`.
 *
 * ```ts
 * const { result } = await connect.sign({ type: 'BITCOIN_MESSAGE', walletId: wallet.id, data: '0x48656c6c6f' });
 * ```
 */
export function sign(context: Context, params: SignParams, options: CallOptions): Promise<SignResult> {
  const data = params?.data;
  const given = typeof data === 'object' && data ? { ...params, data: jsonOf(data) } : params;
  const body = transaction(given, ['type', 'walletId', 'data']) as wire.SignParams;
  for (const name of ['prefix', 'hash'] as const)
    if (body[name] !== undefined && typeof body[name] !== 'boolean')
      throw invalid(name, 'must be true or false');
  if ('annex' in body) throw invalid('annex', 'is for the wallet to fill in; leave it out');
  const { type } = body;
  return checked(
    context,
    [{ type, signs: true }],
    () => payloadsOf(context, { type })?.parseSigning(body),
    () => approve(context, 'sign', body, options),
  );
}

/** A copy is signed: the page may change its object later. */
function jsonOf(data: object): string {
  return JSON.stringify(plain(data, 'data'), (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
