/** Sends a request to our wallet, or to the external wallet that it names. */
import { RequestInvalidError } from '../base/errors.ts';
import type { ChainRequest } from '../chains/terms.ts';
import type { TransactionRequest } from '../chains/requests.ts';
import type * as wire from '../channel/ask-schema.ts';
import type { TransferParams } from '../channel/ask-schema.ts';
import type { ParamsOf, Results, SignResult, TransactionResult } from '../channel/messages.ts';
import { chainFields, record, transaction } from './arguments.ts';
import type { Approved } from './external.ts';
import type { Context } from './context.ts';
import { linkedWallet, loadOthers } from './linked-wallets.ts';
import { invalid, plain } from './plain.ts';
import { checked, payloadsOf } from './preload.ts';
import type { CallOptions, SignParams } from './types.ts';

/** Synchronous for our wallet, because a window opens only within the user's click. */
export function approve<A extends Approved>(
  context: Context,
  action: A,
  params: ParamsOf<A>,
  options: CallOptions,
): Promise<Results[A]> {
  const { external } = context.record.read();
  const requests = [(params as Partial<ParamsOf<'executeAll'>>).requests ?? params].flat();
  return requests.some((each) => Object.hasOwn(external, (each as { walletId: string }).walletId))
    ? loadOthers(context).then((it) => it.approveExternally(context, action, params, options))
    : context.host.approve(action, params, options);
}

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
    () => payloadsOf(context, { secretType })?.parseTransfer(chainFields(body)),
    () => approve(context, 'transfer', body, options),
  );
}

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
    () => payloadsOf(context, body)?.parse(chainFields(body)),
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

/**
 * Up to 20 transactions in one list, each approved and sent once the previous one is confirmed. A failure has
 * what was sent in `details.completed`.
 */
export function executeAll(
  context: Context,
  requests: readonly TransactionRequest[],
  options: CallOptions,
): Promise<TransactionResult[]> {
  if (!Array.isArray(requests) || !requests.length || requests.length > 20)
    throw invalid('requests', 'must be a list of 1 to 20 transactions');
  const bodies = requests.map((request, index) => at(index, () => chainRequest(context, request)));
  return checked(
    context,
    bodies.map(({ type, secretType }, index) => ({ type, secretType, path: `requests.${index}.` })),
    () =>
      bodies.forEach((body, index) => at(index, () => payloadsOf(context, body)?.parse(chainFields(body)))),
    () => approve(context, 'executeAll', { requests: bodies }, options),
  );
}

/** Prefixes the error of `check` with the request it concerns. */
function at<T>(index: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RequestInvalidError)) throw error;
    throw new RequestInvalidError(
      error.issues.map(({ path, message }) => ({
        path: `requests.${index}${path && `.${path}`}`,
        message,
      })),
    );
  }
}

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
  const request = typeof data === 'object' && data ? { ...params, data: jsonOf(data) } : params;
  const body = transaction(request, ['type', 'walletId', 'data']) as wire.SignParams;
  for (const name of ['prefix', 'hash'] as const)
    if (body[name] !== undefined && typeof body[name] !== 'boolean')
      throw invalid(name, 'must be true or false');
  if ('annex' in body) throw invalid('annex', 'is for the wallet to fill in; leave it out');
  const { type } = body;
  return checked(
    context,
    [{ type, signs: true }],
    () => payloadsOf(context, { type })?.parseSigning(chainFields(body)),
    () => approve(context, 'sign', body, options),
  );
}

/** A copy is signed: the page may change its object later. */
function jsonOf(data: object): string {
  return JSON.stringify(plain(data, 'data'), (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** The user picks a known recipient in the wallet, and the page learns its address. */
export async function chooseRecipient(
  context: Context,
  params: ParamsOf<'chooseRecipient'>,
  options: CallOptions,
): Promise<string> {
  const body = record(params, ['walletId']) as ParamsOf<'chooseRecipient'>;
  linkedWallet(context, body.walletId);
  return approve(context, 'chooseRecipient', body, options);
}

/** Opens the wallet at a request whose answer was lost, and resolves to that answer. Needs a user gesture. */
export async function resume({ host }: Context, requestId: string, options: CallOptions): Promise<unknown> {
  if (typeof requestId !== 'string' || !/^[A-Za-z0-9_-]{8,64}$/.test(requestId))
    throw invalid('requestId', 'is required: the id of a request from pending()');
  const result = await host.approve('resume', { requestId }, options);
  host.delivered(requestId);
  return result;
}

/** By the names of their methods. */
export const REQUESTS = { chooseRecipient, transfer, execute, executeAll, sign, resume };
