/** What node clients share: one request with limits, and error messages. */
import { ConnectError } from '../../base/errors.ts';
import type { NodeOptions } from '../terms.ts';
import type { Network } from '../network.ts';

const TIMEOUT = 8_000;
/** A local node shares its machine with builds and tests, and there is no other one to ask. */
const LOCAL_TIMEOUT = 120_000;
const MAX_ANSWER = 5 * 1024 * 1024;
/** Browsers refuse `keepalive` requests with more than 64 KiB in flight. */
const MAX_KEEPALIVE = 60_000;

/** They ask for a key, a payment, another place or patience: not a matter of one call. */
const CLOSED = [401, 402, 403, 407, 429, 451];

export interface HttpAnswer {
  status: number;
  text: string;
  /** `Retry-After` in milliseconds, where the node sends one and lets pages read it. */
  retryAfter?: number | undefined;
}

/** How clients of this network ask, unless their caller says otherwise. */
export function optionsOn<O extends NodeOptions>({ kind }: Pick<Network, 'kind'>, options: O): O {
  return { ...options, timeout: options.timeout ?? (kind === 'local' ? LOCAL_TIMEOUT : TIMEOUT) };
}

/** Whether who answers with this status, node or proxy, serves nothing now. */
export function isClosed(status: number): boolean {
  return CLOSED.includes(status);
}

/** Whether a body sent to this many nodes at once may outlive the page. */
export function isSmall(body: string, nodes: number): boolean {
  return body.length * nodes < MAX_KEEPALIVE;
}

/** Throws `NodeDown` if the answer is late, `NodeFailure` if it is too large; the reason of the caller's signal once that is aborted. */
export async function request(
  url: string,
  init: RequestInit,
  {
    timeout = TIMEOUT,
    largest = MAX_ANSWER,
    fetch: send = (input, options) => fetch(input, options),
    signal: given,
  }: NodeOptions,
): Promise<HttpAnswer> {
  given?.throwIfAborted();
  const time = AbortSignal.timeout(timeout);
  const signal = given ? AbortSignal.any([given, time]) : time;
  try {
    const response = await send(url, {
      ...init,
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    });
    const retryAfter = milliseconds(response.headers.get('retry-after'));
    return { status: response.status, text: await boundedText(response, largest), retryAfter };
  } catch (cause) {
    given?.throwIfAborted();
    if (cause instanceof NodeFailure) throw cause;
    throw new NodeDown(time.aborted ? `did not answer in ${timeout} ms` : 'does not answer', { cause });
  }
}

/** Of seconds or a date (RFC 9110, section 10.2.3). */
function milliseconds(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return wait >= 0 ? wait : undefined;
}

/** Throws `NodeFailure` for more bytes, without reading the rest. */
export async function boundedText(response: Response, largest: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > largest) {
      await reader.cancel();
      throw new NodeFailure(`answered more than ${largest} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** `node.unreachable` for an invalid answer; `what` is what it should have been. */
export function nonsense(what: string): ConnectError {
  return new ConnectError('node.unreachable', `The node answered something that is not ${what}.`, {
    reason: 'answer',
  });
}

/** `node.unreachable` for what went wrong at each node in turn. */
export function unreachable(network: Network, host: string, failures: readonly unknown[]): ConnectError {
  const wrong = failures.find((f) => f instanceof WrongNetwork);
  if (wrong)
    return new ConnectError(
      'node.unreachable',
      `The node ${wrong.message}. It was not used.`,
      {
        reason: wrong.reason,
        host,
        expected: wrong.expected,
        [wrong.reason === 'chain-id' ? 'chainId' : 'genesis']: wrong.actual,
      },
      { cause: wrong },
    );
  const words = failures.map((f) => (f instanceof Error ? f.message : String(f)));
  return new ConnectError(
    'node.unreachable',
    failures.length > 1
      ? `None of the ${failures.length} nodes of ${network.name} can be used: the first ${words[0]}.`
      : `The node of ${network.name} ${words[0] ?? 'is not configured'}.`,
    { reason: 'network', host },
    { cause: failures[0] },
  );
}

/** Not an answer that a node gives: another node may. */
export class NodeFailure extends Error {
  override name = 'NodeFailure';
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The node would not answer anything else either: it rests for a while (`NodeHealth`). */
export class NodeDown extends NodeFailure {
  override name = 'NodeDown';
  /** Milliseconds, where the node says so. */
  readonly retryAfter: number | undefined;
  constructor(
    message: string,
    { retryAfter, cause }: { retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }
}

/** The node belongs to another network than `networks.json` says. */
export class WrongNetwork extends Error {
  override name = 'WrongNetwork';
  readonly reason: string;
  constructor(
    what: 'chain id' | 'network',
    readonly expected: number | string,
    readonly actual: number | string,
  ) {
    super(`answers for ${what} ${actual}, not ${expected}`);
    this.reason = what === 'chain id' ? 'chain-id' : 'network-id';
  }
}
