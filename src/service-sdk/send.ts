/** One HTTP request and its answer, and when it is retried. */
import { jsonOf, problemOf } from '../api/client.ts';
import { OAuthError } from '../api/token.ts';
import type { Clock } from '../base/clock.ts';
import type { ErrorCode, Issue } from '../base/errors.ts';
import { ServiceError, serviceError } from './errors.ts';

export interface SendSettings {
  fetch: typeof fetch;
  clock: Clock;
  /** 0 to 1, as `Math.random`. */
  random: () => number;
  /** Milliseconds for one attempt. */
  timeout: number;
  /** How many times a request is retried. */
  retries: number;
}

export interface Outgoing {
  method: string;
  url: string;
  /** The request's name in errors: `GET /api/wallets/{id}`, without any value. */
  name: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

export interface Incoming {
  response: Response;
  text: string;
}

/** Throws a `ServiceError` unless the answer is a success, or the reason of the signal. `heard` is called with every answer. */
export async function send(
  outgoing: Outgoing,
  settings: SendSettings,
  signal: AbortSignal | undefined,
  heard?: (response: Response) => void,
): Promise<Incoming> {
  const answer = await exchange(outgoing, settings, signal);
  heard?.(answer.response);
  if (!answer.response.ok) throw errorOf(answer, outgoing.name);
  return answer;
}

async function exchange(
  { name, url, ...request }: Outgoing,
  { fetch: ask, clock, timeout }: SendSettings,
  signal: AbortSignal | undefined,
): Promise<Incoming> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  let late = false;
  const stop = (): void => ending.abort();
  const stopTimer = clock.after(
    timeout,
    () => {
      late = true;
      stop();
    },
    'limit',
  );
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const response = await ask(url, { ...request, signal: ending.signal, redirect: 'error' });
    return { response, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    // Not as `cause`: what the runtime or the application's own `fetch` throws may hold the request, and so its secrets.
    throw serviceError({
      code: 'service.unreachable',
      detail: late
        ? `The service did not answer ${name} within ${timeout} ms.`
        : `The service cannot be reached for ${name}.`,
      details: { reason: late ? 'timeout' : failureOf(error) },
    });
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', stop);
  }
}

/** `ECONNREFUSED`, if the runtime has such a code. */
function failureOf(error: unknown): string {
  const { code, name } = ((error as { cause?: unknown }).cause ?? error) as {
    code?: unknown;
    name?: unknown;
  };
  const label = [code, name].find((one) => typeof one === 'string' && /^\w{1,64}$/.test(one));
  return (label as string | undefined) ?? 'unknown';
}

/** The answer does not match the contract, so it is unknown what was done. */
export function wrongAnswer({ response }: Incoming, name: string): ServiceError {
  return serviceError({
    code: 'service.unreachable',
    detail: `The service answered ${name} in a form that this version does not know.`,
    details: { reason: 'answer' },
    status: response.status,
    requestId: requestIdOf(response),
  });
}

export function requestIdOf({ headers }: Response): string | undefined {
  return headers.get('X-Request-Id') ?? undefined;
}

function errorOf(incoming: Incoming, name: string): ServiceError {
  const { response, text } = incoming;
  const { status } = response;
  const requestId = requestIdOf(response);
  const problem = problemOf(text);
  if (problem) {
    const { issues, details = {} } = problem;
    return serviceError({
      code: problem.code as ErrorCode,
      detail: problem.detail,
      details: {
        ...details,
        ...(issues ? { issues: issues as Issue[] } : {}),
        ...retryOf(response),
      } as never,
      status,
      requestId,
    });
  }
  const refused = OAuthError.safeParse(jsonOf(text)).data;
  if (refused && status < 500 && status !== 429)
    return serviceError({
      code: 'token.invalid',
      detail: refused.error_description,
      details: { reason: refused.error },
      status,
      requestId,
    });
  // The answer is from a proxy in front of the service, or from the token endpoint.
  return serviceError({
    code: status === 429 ? 'request.rate-limited' : 'service.unreachable',
    detail: `${name} was answered with status ${status}.`,
    details: { ...(GATEWAY.has(status) ? {} : { reason: 'answer' }), ...retryOf(response) },
    status,
    requestId,
  });
}

const GATEWAY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Seconds (RFC 9110 section 10.2.3; the service sends no dates). */
function retryOf({ headers }: Response): { retryAfter?: number } {
  const text = headers.get('Retry-After') ?? '';
  return /^\d{1,9}$/.test(text) ? { retryAfter: Number(text) } : {};
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** Seconds. If the service asks for a longer wait, the caller should know at once. */
const LONGEST_RETRY_AFTER = 30;

/** The request has not, or may not have, taken effect; it may succeed a moment later. */
const PASSING: ReadonlySet<string> = new Set([
  'service.unreachable',
  'request.rate-limited',
  'checkout.provider.unreachable',
]);

/**
 * Retries `work`, which must be idempotent, while it fails for a transient reason: first after about 250 ms, then after twice as long each
 * time, up to 8 s, or after `Retry-After`. Every delay has jitter, so that callers that failed together do not return together.
 */
export async function repeating<T>(
  work: () => Promise<T>,
  { clock, random, retries }: SendSettings,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let made = 0; ; made++) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ServiceError) || made >= retries || !isPassing(error, made)) throw error;
      const { retryAfter } = error.details as { retryAfter?: number };
      if (retryAfter !== undefined && retryAfter > LONGEST_RETRY_AFTER) throw error;
      const wait = Math.min(FIRST_WAIT * 2 ** made, LONGEST_WAIT);
      await pause(
        retryAfter === undefined
          ? wait / 2 + (random() * wait) / 2
          : retryAfter * 1000 + random() * FIRST_WAIT,
        clock,
        signal,
      );
    }
  }
}

function isPassing({ code, details }: ServiceError, made: number): boolean {
  // The previous attempt, whose answer was lost, is still in progress. If the requests differed, `field` would say where.
  if (code === 'request.conflict') return made > 0 && details.field === undefined;
  return PASSING.has(code) && (details as { reason?: unknown }).reason !== 'answer';
}

function pause(milliseconds: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const abort = (): void => {
      stop();
      fail(signal!.reason as Error);
    };
    const stop = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      done();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Settles as `promise` does, unless the signal aborts first: others may wait for the same promise, which continues. */
export async function unless<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise;
  let abort = (): void => {};
  const aborted = new Promise<never>((_done, fail) => {
    abort = (): void => fail(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
