/** Makes the client's calls: gets the token, sends the idempotency key, and checks the answer against the contract. */
import { jsonOf, nextCursor, queryText } from '../api/client.ts';
import { PROBLEM_TYPE } from '../api/problem.ts';
import { type Answer, IDEMPOTENCY_KEY, type Input, NOT_A_KEY, pathWith, type Route } from '../api/route.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { ServiceError, serviceError } from './errors.ts';
import {
  type Incoming,
  repeating,
  requestIdOf,
  send,
  type SendSettings,
  unless,
  wrongAnswer,
} from './send.ts';
import { type Credentials, Tokens } from './tokens.ts';

export interface Page<T> {
  entries: T[];
  next: string | undefined;
}

/** Without a cursor, the first page. */
export type ReadPage<T> = (cursor: string | undefined) => Promise<Page<T>>;

/**
 * A list of any length, read page by page as it is iterated. Nothing is requested before.
 *
 * ```ts
 * for await (const wallet of service.wallets.list({ secretType: 'ETHEREUM' })) console.log(wallet.address);
 * const wallets = await service.wallets.list().all();
 * ```
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #start: () => ReadPage<T>;

  /** @internal `start` is called by each loop: several may run at the same time. */
  constructor(start: () => ReadPage<T>) {
    this.#start = start;
  }

  /** The pages, each as an array of at most `limit` entries. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    const read = this.#start();
    let cursor: string | undefined;
    do {
      const { entries, next } = await read(cursor);
      yield entries;
      cursor = next;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page;
  }

  /** The whole list in memory. */
  async all(): Promise<T[]> {
    const all: T[] = [];
    for await (const page of this.pages()) for (const entry of page) all.push(entry);
    return all;
  }
}

export interface ServiceOptions {
  /** Base URL of the service. */
  url: string;
  /** Base URL of checkout, branding and payment webhooks, if it is another one. */
  checkoutUrl?: string;
  clientId: string;
  /** A function is called whenever the secret is needed: it may come from a vault, and change. */
  clientSecret: Credentials['clientSecret'];
  /** The service's `REALM`; `main` when absent. */
  realm?: string;
  /** Fewer scopes than the client has, separated by spaces. */
  scope?: string;
  /** Milliseconds for one attempt; 30,000 when absent. */
  timeout?: number;
  /** How many times a call is retried, if that is safe; 4 when absent, 0 for never. */
  retries?: number;
  fetch?: typeof fetch;
  /** Replaced in tests. */
  clock?: Clock;
  /** Replaced in tests. */
  random?: () => number;
}

export interface CallOptions {
  /** Aborts the call and its retries, with the signal's reason. */
  signal?: AbortSignal;
  /**
   * For calls that take one: the same key with the same body does nothing twice. Without it the client generates one for the call and its
   * retries. Pass one that you store before the call, such as the order number, if your process may end before the answer.
   */
  idempotencyKey?: string;
  /** Milliseconds for one attempt, in place of the client's. */
  timeout?: number;
  /** Called with each answer, refusals and retried ones included, and those of each page: the request's id for your log, and the headers. */
  onAnswer?: (answer: { status: number; requestId: string | undefined; headers: Headers }) => void;
}

/** What a call sends, by its place in the request. */
export interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | readonly string[] | undefined>;
  body?: unknown;
  /** The file, for routes that take one. */
  file?: { content: Blob; name: string };
}

const TIMEOUT = 30_000;
const RETRIES = 4;

/** Routes at `url`; the others are at `checkoutUrl`. */
const WALLETS = /^\/(?:api|auth)\//;

export class Caller {
  readonly #url: string;
  readonly #checkoutUrl: string;
  readonly #settings: SendSettings;
  readonly #tokens: Tokens;

  constructor(options: ServiceOptions) {
    if (typeof document !== 'undefined')
      throw new Error('The client of the service has a secret: it belongs on a server, not in a page.');
    const { url, checkoutUrl = url, clientId, clientSecret, realm = 'main', scope } = options;
    this.#url = baseOf(url);
    this.#checkoutUrl = baseOf(checkoutUrl);
    this.#settings = {
      // Called as a method of this object, it would have the wrong `this`.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      timeout: lengthOf(options.timeout ?? TIMEOUT),
      retries: countOf(options.retries ?? RETRIES),
    };
    this.#tokens = new Tokens(this.#url, { clientId, clientSecret, realm, scope }, this.#settings);
  }

  async call<R extends Route>(route: R, parts: Parts, options?: CallOptions): Promise<Answer<R>> {
    return (await this.#answer(route, parts, options))[0];
  }

  /** A list of balances without those that no node answers for. Throws `node.unreachable` if that is all of them. */
  async balances<R extends Route>(route: R, parts: Parts, options?: CallOptions): Promise<Balances<R>> {
    const [balances, { headers }] = await this.#answer(
      route,
      { ...parts, query: { ...parts.query, partial: 'true' } },
      options,
    );
    return { balances, unread: headers.get('Carabiner-Partial')?.split(/, */) ?? [] };
  }

  /** Follows the `Link` of each page. */
  pages<R extends Route>(
    route: R,
    parts: Parts,
    options?: CallOptions,
  ): Pages<Answer<R> extends (infer T)[] ? T : never> {
    return new Pages(() => {
      const seen = new Set<string>();
      return async (cursor) => {
        // Otherwise the list would be endless.
        if (cursor !== undefined && seen.has(cursor))
          throw serviceError({
            code: 'service.unreachable',
            detail: `The service answered ${nameOf(route)} with the same page again.`,
            details: { reason: 'answer' },
          });
        if (cursor !== undefined) seen.add(cursor);
        // A list may be answered whole if nothing is said.
        const query = { limit: '1000', ...parts.query, ...(cursor === undefined ? {} : { cursor }) };
        const [entries, response] = await this.#answer(route, { ...parts, query }, options);
        return { entries: entries as never[], next: nextCursor(response) };
      };
    });
  }

  async #answer<R extends Route>(
    route: R,
    parts: Parts,
    options: CallOptions = {},
  ): Promise<[Answer<R>, Response]> {
    const key = route.idempotencyKey ? keyOf(options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    // Getting the token has retries of its own: if they fail, the call is not retried on top.
    if (needsToken(route)) await unless(options.signal, this.#tokens.get());
    const once = (): Promise<Incoming> => this.#authorized(route, parts, key, options);
    const answer = await (route.method === 'GET' || key !== undefined
      ? repeating(once, this.#settings, options.signal)
      : once());
    const { response, text } = answer;
    const { data, success } = route.answer.safeParse(jsonOf(text));
    if (!success) throw wrongAnswer(answer, nameOf(route));
    return [data as Answer<R>, response];
  }

  /** A refused token is renewed once: the request took no effect, whatever it is. */
  async #authorized(
    route: Route,
    parts: Parts,
    key: string | undefined,
    options: CallOptions,
  ): Promise<Incoming> {
    if (route.clientSecret) {
      const Authorization = await unless(options.signal, this.#tokens.basic());
      return this.#send(route, parts, { Authorization }, options);
    }
    if (!needsToken(route)) return this.#send(route, parts, {}, options);
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    const withToken = (token: string): Promise<Incoming> =>
      this.#send(route, parts, { ...headers, Authorization: `Bearer ${token}` }, options);
    const token = await unless(options.signal, this.#tokens.get());
    try {
      return await withToken(token);
    } catch (error) {
      if (
        !(error instanceof ServiceError) ||
        (error.code !== 'token.expired' && error.code !== 'token.invalid')
      )
        throw error;
      this.#tokens.drop(token);
    }
    return withToken(await unless(options.signal, this.#tokens.get()));
  }

  #send(
    route: Route,
    { params, query, body, file }: Parts,
    headers: Record<string, string>,
    { timeout, signal, onAnswer }: CallOptions,
  ): Promise<Incoming> {
    const base = WALLETS.test(route.path) ? this.#url : this.#checkoutUrl;
    const path = pathWith(route.path, (name) => segmentOf(name, params?.[name]));
    const form = file && new FormData();
    if (file) form!.set(route.file!, file.content, file.name);
    return send(
      {
        method: route.method,
        url: base + path + queryText(query),
        name: nameOf(route),
        headers: {
          Accept: `application/json, ${PROBLEM_TYPE}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(form ? { body: form } : {}),
      },
      timeout === undefined ? this.#settings : { ...this.#settings, timeout: lengthOf(timeout) },
      signal,
      (response) =>
        onAnswer?.({
          status: response.status,
          requestId: requestIdOf(response),
          headers: response.headers,
        }),
    );
  }
}

function needsToken({ scopes }: Route): boolean {
  return scopes !== undefined;
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** URLs take `.` and `..` for steps on the path, encoded or not: an id like that would lead to another call. */
function segmentOf(name: string, value: string | undefined): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw invalid(name, 'must be an id');
  return encodeURIComponent(value);
}

/** A header cannot carry every text, and what the runtime says of it would look like a service that does not answer. */
function keyOf(key: string): string {
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalid('Idempotency-Key', NOT_A_KEY);
}

function invalid(path: string, message: string): ServiceError {
  return serviceError({
    code: 'request.invalid',
    detail: `${path}: ${message}`,
    details: { issues: [{ path, message }] },
  });
}

function baseOf(url: string): string {
  const { protocol = '', search = '', hash = '' } = URL.canParse(url) ? new URL(url) : {};
  if (!/^https?:$/.test(protocol) || search || hash)
    throw new TypeError('The URL of the service is invalid: give one such as https://service.example.');
  return url.replace(/\/+$/, '');
}

/** Runtimes take a longer one for 1. */
const LONGEST_TIMER = 2 ** 31 - 1;

function lengthOf(timeout: number): number {
  if (!(timeout > 0)) throw new TypeError('timeout must be a number of milliseconds above 0.');
  return Math.min(timeout, LONGEST_TIMER);
}

function countOf(retries: number): number {
  if (!(retries >= 0)) throw new TypeError('retries must be a number, 0 for never.');
  return retries;
}

/** What the methods of `resources.ts` take and return. */
export type Param<R extends Route, K extends string> =
  Input<R> extends { params: Record<K, infer T> } ? T & string : string;
export type Body<R extends Route> = Input<R> extends { body: infer T } ? T : never;
/** Pages are followed, so there is no cursor; `limit` is the size of a page, 1 to 1000. */
export type Query<R extends Route> =
  Input<R> extends { query: infer T }
    ? Omit<T, 'cursor' | 'limit'> & (T extends { cursor?: unknown } ? { limit?: number } : unknown)
    : never;
export type Data<R extends Route> = Answer<R>;
export interface Balances<R extends Route> {
  balances: Answer<R>;
  /** Addresses of the tokens that no node answered for: their balance is unknown, not 0. */
  unread: string[];
}
export type Entry<R extends Route> = Answer<R> extends (infer T)[] ? T : never;

/** What the classes of `resources.ts` have in common. */
export class Resource {
  /** @internal */
  constructor(protected readonly caller: Caller) {}
}

/** Query values as text: `limit: 100` becomes `'100'`. Null means the same as leaving a field out. */
export function texts(query: object): NonNullable<Parts['query']> {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    present.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}
