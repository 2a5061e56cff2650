/**
 * The typed client of the service. It checks every answer against the route's schema, renews an expired token once and continues, and
 * makes a new proof when it learns that the clock here is wrong.
 *
 * ```ts
 * const service = apiClient({ url: 'https://service.example', getAccessToken });
 * await service.call(readWallet, { params: { id } });
 * ```
 */
import { ConnectError, type ErrorCode, fromWire, type Issue } from '../base/errors.ts';
import { PROBLEM_TYPE, Problem } from './problem.ts';
import { type Answer, type Input, pathWith, type Route } from './route.ts';

/** A request as it is about to be sent; what a DPoP proof covers (RFC 9449). */
export interface Outgoing {
  method: string;
  /** The URL without its query. */
  url: string;
  accessToken: string;
  /** Seconds since 1970 by the service's clock, as far as it is known: a proof is good for a minute. */
  now: number;
}

export interface ClientOptions {
  /** Base URL of the service. */
  url: string;
  /** Returns a valid token. `refused` is the one that the service called expired. */
  getAccessToken?: (refused?: string) => Promise<string>;
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** For routes that take one; the same key with the same body does nothing twice. */
  idempotencyKey?: string;
  /** Creates the `DPoP` header of a call that spends. */
  prove?: (outgoing: Outgoing) => Promise<string>;
}

export interface ApiClient {
  /**
   * Throws the `ConnectError` that the service's `code` names, or `service.unreachable`. A list is returned in full, however many pages it
   * has, unless the query has a `limit`.
   */
  call<R extends Route>(route: R, input: Input<R>, options?: RequestOptions): Promise<Answer<R>>;
}

/** A smaller difference of the clocks is not why a proof was refused. */
const CLOCK_SECONDS = 5;

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | readonly string[] | undefined>;
  body?: unknown;
}

type Answered<R extends Route> = [data: Answer<R>, response: Response];

/** Returns the response along with the data. For pages that read no lists and have to be small: it follows no `Link`. */
export function routeCaller({
  url,
  getAccessToken,
  fetch: send = fetch,
}: ClientOptions): <R extends Route>(
  route: R,
  input: Input<R>,
  options?: RequestOptions,
) => Promise<Answered<R>> {
  const base = url.replace(/\/+$/, '');
  /** Seconds that the service's clock is ahead of this one. */
  let ahead = 0;

  async function request(
    route: Route,
    input: Parts,
    options: RequestOptions,
    accessToken: string | undefined,
  ) {
    const target = base + pathWith(route.path, (name) => encodeURIComponent(input.params?.[name] ?? ''));
    const headers = new Headers({ Accept: `application/json, ${PROBLEM_TYPE}` });
    if (input.body !== undefined) headers.set('Content-Type', 'application/json');
    if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);
    if (accessToken !== undefined) {
      headers.set('Authorization', `Bearer ${accessToken}`);
      if (options.prove)
        headers.set(
          'DPoP',
          await options.prove({ method: route.method, url: target, accessToken, now: seconds() + ahead }),
        );
    }
    try {
      const response = await send(target + queryText(input.query), {
        method: route.method,
        headers,
        ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
        ...(options.signal ? { signal: options.signal } : {}),
        redirect: 'error',
        credentials: 'omit',
      });
      return { response, text: await response.text() };
    } catch (error) {
      options.signal?.throwIfAborted();
      throw unreachable(base, 'did not answer', error);
    }
  }

  return async (route, input, options = {}) => {
    const parts = input as Parts;
    let token = route.scopes && (await getAccessToken?.());
    let answer = await request(route, parts, options, token);
    if (token !== undefined && getAccessToken && refusal(answer)?.code === 'token.expired') {
      token = await getAccessToken(token);
      answer = await request(route, parts, options, token);
    }
    const { code, details } = refusal(answer) ?? {};
    if (options.prove && code === 'device.proof.invalid' && typeof details?.['now'] === 'number') {
      const difference = details['now'] - seconds();
      if (Math.abs(difference - ahead) > CLOCK_SECONDS) {
        ahead = difference;
        answer = await request(route, parts, options, token);
      }
    }
    const { response, text } = answer;
    if (!response.ok) throw errorOf(base, response.status, text);
    const { data, success } = route.answer.safeParse(jsonOf(text));
    if (!success) throw unreachable(base, `answered ${route.method} ${route.path} in another form`);
    return [data as Answer<typeof route>, response];
  };
}

export function apiClient(options: ClientOptions): ApiClient {
  const ask = routeCaller(options);
  return {
    async call(route, input, more) {
      let [data, response] = await ask(route, input, more);
      const parts = input as Parts;
      const seen = new Set<string>();
      // Without a limit, the caller gets the whole list.
      while (parts.query?.['limit'] === undefined) {
        const cursor = nextCursor(response);
        if (cursor === undefined) break;
        // Otherwise the list would be endless.
        if (seen.has(cursor))
          throw unreachable(options.url, `answered ${route.method} ${route.path} with the same page again`);
        seen.add(cursor);
        const [rest, last] = await ask(
          route,
          { ...parts, query: { ...parts.query, cursor } } as unknown as typeof input,
          more,
        );
        data = [...(data as unknown[]), ...(rest as unknown[])] as typeof data;
        response = last;
      }
      return data;
    },
  };
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** What a 401 says. */
function refusal({ response, text }: { response: Response; text: string }): Problem | undefined {
  return response.status === 401 ? problemOf(text) : undefined;
}

/** Cursor of the page after a list's answer; undefined on the last one. */
export function nextCursor({ headers }: Response): string | undefined {
  return /[?&]cursor=([\w-]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
}

export function queryText(query: Parts['query'] = {}): string {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((each) => [name, each as string]),
    ),
  ).toString();
  return text && `?${text}`;
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function problemOf(text: string): Problem | undefined {
  return Problem.safeParse(jsonOf(text)).data;
}

function errorOf(base: string, status: number, text: string): ConnectError {
  const problem = problemOf(text);
  if (!problem) return unreachable(base, `answered with status ${status}`);
  const { code, detail, issues, details, instance } = problem;
  return fromWire({
    code: code as ErrorCode,
    message: detail,
    details: { ...details, ...(issues ? { issues: issues as Issue[] } : {}), instance },
  });
}

function unreachable(base: string, what: string, cause?: unknown): ConnectError {
  return new ConnectError('service.unreachable', `The wallet service at ${base} ${what}.`, {}, { cause });
}
