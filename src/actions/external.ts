/**
 * Requests to a linked external wallet: the same promises, progress and errors as with ours. That wallet
 * draws the approval and sends; there is no journal, so an answer lost in a reload stays lost.
 */
import type { ActionWith } from '../base/actions.ts';
import { canonical } from '../base/canonical.ts';
import type { ChainRequest, ParsedRequest } from '../chains/terms.ts';
import type { Payloads } from '../chains/requests/payloads.ts';
import { type CallOptions, newId } from '../channel/host-call.ts';
import type { External } from '../channel/host-record.ts';
import type { ParamsOf, Results, SignResult, Stage, TransactionResult } from '../channel/messages.ts';
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import { externalError, notSupported } from '../external/external-error.ts';
import type { ExternalWallet } from '../external/types.ts';
import { chainFields } from './arguments.ts';
import type { Context } from './context.ts';
import { walletOf } from './link-external.ts';
import { invalid } from './plain.ts';

// Loaded as one file, because most users have no external wallet.
export { resumeExternal } from './link-external.ts';
export { chooseWallet, othersFor } from './wallet-chooser.ts';

/** What an external wallet can be asked. */
export type Approved = ActionWith<'external'>;
type Options = CallOptions & { requestId: string };

/** The interval between looks for a transaction in a block, and for how long to look. */
const LOOK_MS = 3000;
const LOOKS = 600;

interface Attempt {
  body: string;
  answer: Promise<unknown>;
}
/** By request id: a repeated request is asked only once while the page lives. */
const attempts = new WeakMap<Context, Map<string, Attempt>>();

export function approveExternally<A extends Approved>(
  context: Context,
  action: A,
  params: ParamsOf<A>,
  options: CallOptions,
): Promise<Results[A]> {
  const { requestId = newId(), signal } = options;
  const body = canonical([action, params]);
  const byId = attempts.get(context) ?? new Map<string, Attempt>();
  attempts.set(context, byId);
  const earlier = byId.get(requestId);
  if (earlier && earlier.body !== body)
    throw new ConnectError('request.conflict', 'This requestId is in use for another request.', {
      requestId,
    });
  if (signal?.aborted) throw new UserRejectedError('The request was aborted before it began.');
  const answer = earlier?.answer ?? begin(context, action, params, { ...options, requestId });
  byId.set(requestId, { body, answer });
  // A failed request may be retried.
  answer.catch(() => byId.delete(requestId));
  return untilAborted(answer, signal) as Promise<Results[A]>;
}

/** A request to another wallet cannot be cancelled: its user may approve it after the page has given it up. */
function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () =>
      reject(
        new FrameUnreachableError(
          'The page no longer waits for the other wallet. Reject the request there, too.',
        ),
      );
    signal?.addEventListener('abort', onAbort);
    answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort));
  });
}

async function begin(
  context: Context,
  action: Approved,
  params: object,
  options: Options,
): Promise<Results[Approved]> {
  const requests =
    action === 'executeAll' ? (params as { requests: readonly ChainRequest[] }).requests : undefined;
  const { walletId } = (requests?.[0] ?? params) as { walletId: string };
  const entry = Object.hasOwn(context.record.read().external, walletId)
    ? context.record.read().external[walletId]
    : undefined;
  if (!entry || requests?.some((each) => each.walletId !== walletId))
    throw invalid('requests', 'must all be for one wallet if one of them is external');
  const { loadPayloads } = await import('../chains/load.ts');
  const payloads = await loadPayloads(entry.wallet.secretType);
  const run = { context, entry, payloads, options };
  const body = requests ? params : onOwnNetwork(entry, params);
  switch (action) {
    case 'transfer':
      return send(run, () => payloads.parseTransfer(body));
    case 'execute':
      return send(run, () => payloads.parse(body));
    case 'executeAll':
      return sendAll(
        run,
        requests!.map((each, index) => onOwnNetwork(entry, each, `requests.${index}.`)),
      );
    case 'sign':
      return sign(run, body);
    case 'chooseRecipient':
      throw notSupported(entry.wallet.alias, 'known recipients: our wallet keeps those');
  }
}

/** An external wallet is on the network on which it was linked: a request may name that one only. */
function onOwnNetwork<T extends object>({ wallet }: External, request: T, path = ''): T {
  const { network } = request as { network?: unknown };
  if (typeof network !== 'string' || network === wallet.network) return chainFields(request) as T;
  throw invalid(
    `${path}network`,
    `is not the network of ${wallet.alias}, an external wallet${wallet.network === undefined ? '' : `. It is on ${wallet.network}`}`,
  );
}

interface Run {
  context: Context;
  entry: External;
  payloads: Payloads;
  options: Options;
}

function tell({ options }: Run, stage: Stage, transactionHash?: string): void {
  options.onProgress?.({ requestId: options.requestId, stage, transactionHash });
}

async function send(run: Run, parse: () => ParsedRequest): Promise<TransactionResult> {
  const transactionHash = await sent(run, parse());
  void settled(run, transactionHash).then((stage) => stage && tell(run, stage, transactionHash));
  return { transactionHash };
}

/** Signed and sent by the wallet, which fills in absent fields. */
async function sent(run: Run, request: ParsedRequest): Promise<string> {
  const { context, entry, payloads } = run;
  const { address, network } = entry.wallet;
  // A body names its chain; a native request's type implies it.
  const native =
    'secretType' in request
      ? payloads.parse(
          await context.host.read('build', { body: request, address, ...(network && { network }) }),
        )
      : request;
  const wallet = await opened(run);
  tell(run, 'approval');
  const hash = await wallet.send(entry.wallet, native);
  tell(run, 'broadcast', hash);
  return hash;
}

async function opened({ context, entry }: Run): Promise<ExternalWallet> {
  const wallet = await walletOf(context, entry.by);
  if (wallet) return wallet;
  throw new FrameUnreachableError(
    `${entry.wallet.alias} was not found in this browser. Enable it and load the page again.`,
  );
}

/** One after another, each once the previous one is in a block, as our wallet does. */
async function sendAll(run: Run, requests: readonly ChainRequest[]): Promise<TransactionResult[]> {
  const parsed = requests.map((each) => run.payloads.parse(each));
  const completed: TransactionResult[] = [];
  try {
    for (const [index, request] of parsed.entries()) {
      const transactionHash = await sent(run, request);
      completed.push({ transactionHash });
      const stage = await settled(run, transactionHash);
      if (stage === 'confirmed' && index === parsed.length - 1) tell(run, stage, transactionHash);
      if (stage === 'confirmed') continue;
      throw new ConnectError(
        stage === 'failed' ? 'transaction.refused' : 'node.unreachable',
        stage === 'failed'
          ? 'A transaction of the list had no effect. Those after it were not sent.'
          : 'It is not known whether a transaction of the list was confirmed. Those after it were not sent.',
        { transactionHash },
      );
    }
  } catch (error) {
    const { code, shortMessage, details } = externalError(error, run.entry.wallet.alias);
    throw new ConnectError(code, shortMessage, { ...details, completed });
  }
  return completed;
}

async function sign(run: Run, params: object): Promise<SignResult> {
  const request = run.payloads.parseSigning(params);
  const wallet = await opened(run);
  tell(run, 'approval');
  return { success: true, result: await wallet.sign(run.entry.wallet, request) };
}

/**
 * The outcome according to the network's nodes; undefined if they do not say, or the page has destroyed this
 * connect.
 */
async function settled({ context, entry }: Run, hash: string): Promise<'confirmed' | 'failed' | undefined> {
  const { secretType, network } = entry.wallet;
  const on = network === undefined ? {} : { network };
  for (let look = 0; look < LOOKS && !context.ended.signal.aborted; look++) {
    try {
      const ask = (more: object) => context.host.read('transactionStatus', { secretType, hash, ...more });
      // A frame of an older version knows no other state.
      const state = await ask({ ...on, inBlock: true }).catch(() => ask({}));
      if (state === 'confirmed' || state === 'failed') return state;
    } catch {
      // No node answers now; the next look may succeed.
    }
    await new Promise<void>((done) => context.clock.after(LOOK_MS, done));
  }
  return undefined;
}
