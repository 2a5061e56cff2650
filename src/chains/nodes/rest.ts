/**
 * A client of one network's nodes that speak JSON over HTTP, each chain with its own paths. Reads fail over
 * to the next node; calls made in the same microtask count as one round trip.
 */
import { ConnectError } from '../../base/errors.ts';
import type { Node, NodeOptions } from '../terms.ts';
import { giveToAll, type Refusal, refusalOf, type RefusalTable } from './broadcast.ts';
import {
  type HttpAnswer,
  isClosed,
  isSmall,
  NodeDown,
  NodeFailure,
  optionsOn,
  request,
  unreachable,
  WrongNetwork,
} from './http.ts';
import { healthBy, type NodeHealth } from './node-health.ts';
import type { Network } from '../network.ts';

/** How a node identifies its network. Asked once per node, along with its first reads. */
export interface Identity {
  path: string;
  /** Posted as JSON when there is one. */
  body?: unknown;
  /** What `network.genesis` must be; undefined when the answer does not say. */
  read(answer: HttpAnswer): string | undefined;
}

export interface RestOptions extends NodeOptions {
  identity?: Identity;
  headers?: Readonly<Record<string, string>>;
  /**
   * The words of a refusal in the API's own form; undefined for anything else, which only counts as an answer with status 200. May throw
   * `NodeFailure`. Absent if every refusal is the node's.
   */
  refusal?(answer: HttpAnswer, path: string): string | undefined;
}

/** Reads an answer. Whatever it throws, another node may do better. */
type Read<Body, T> = (body: Body, answer: NodeAnswer) => T;

export interface NodeAnswer extends HttpAnswer {
  /** Of the node. */
  host: string;
}

/** Attempts of the calls that go together, each counted as one round trip. `order`: indices of nodes. */
type Group = { order: readonly number[]; counted: Set<number> };

export class Rest implements Node {
  host: string;
  rounds = 0;
  /** The network that the nodes in use report; undefined before the first answer, and without an `identity`. */
  genesis: string | undefined;
  /** Index of the node that answered last: the next read begins there. */
  #current = 0;
  #group: Group | undefined;
  readonly #identified = new Map<string, Promise<void>>();
  /** For further services beside the nodes. */
  readonly http: NodeOptions;
  readonly #options: RestOptions;
  readonly #health: NodeHealth;

  constructor(
    readonly network: Network,
    options: RestOptions = {},
  ) {
    this.host = network.nodes[0] ? new URL(network.nodes[0]).host : '';
    this.#options = optionsOn(network, options);
    const { fetch, timeout, signal } = this.#options;
    this.http = { fetch, timeout, signal };
    this.#health = healthBy(fetch);
  }

  /** A client of each node by itself. */
  each(): Rest[] {
    const { network } = this;
    return network.nodes.map((url) => new Rest({ ...network, nodes: [url] }, this.#options));
  }

  /**
   * JSON at a path such as `/blocks/best`; whole numbers of 16 digits and more come as text. Rejects with `RestError` when the node
   * refuses in the words of its API, with `node.unreachable` when no node gives an answer that `read` can read.
   */
  get<T = unknown>(path: string, read: Read<unknown, T> = (value) => value as T): Promise<T> {
    return this.#read(path, json(read));
  }

  getText<T = string>(path: string, read: Read<string, T> = (text) => text as T): Promise<T> {
    return this.#read(path, read);
  }

  post<T = unknown>(path: string, body: unknown, read: Read<unknown, T> = (value) => value as T): Promise<T> {
    return this.#read(path, json(read), writeExact(body));
  }

  /**
   * Sends to every node at once and answers as soon as `accept` takes an answer; it throws `RestError` for a refusal, and `NodeFailure`
   * for what is none. Rejects with `NotTaken` if no answer is taken. Continues when the page closes.
   */
  async send<T>(path: string, body: unknown, accept: (answer: HttpAnswer) => T): Promise<T> {
    this.rounds++;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    const keepalive = isSmall(text, this.network.nodes.length);
    const give = async (url: string): Promise<T> => {
      const answer = accept(await this.#request(url, path, { body: text, type, keepalive }));
      this.host = new URL(url).host;
      return answer;
    };
    return giveToAll(this.network, give, this.http.signal);
  }

  async #read<T>(path: string, read: Read<string, T>, body?: string): Promise<T> {
    const group = this.#together();
    const failures: unknown[] = [];
    for (const [i, index] of group.order.entries()) {
      if (!group.counted.has(i)) {
        group.counted.add(i);
        this.rounds++;
      }
      const url = this.network.nodes[index]!;
      const answered = (failure?: unknown): void => this.#health.note(url, [failure]);
      try {
        const [answer] = await Promise.all([
          this.#request(url, path, body === undefined ? {} : { body, type: 'application/json' }),
          this.#identify(url),
        ]);
        const value = this.#accept(answer, path, read);
        answered();
        this.#current = index;
        this.host = answer.host;
        return value;
      } catch (error) {
        this.http.signal?.throwIfAborted();
        if (error instanceof RestError) throw error;
        answered(error);
        failures.push(error);
      }
    }
    throw failures[0] instanceof ConnectError ? failures[0] : unreachable(this.network, this.host, failures);
  }

  /** Throws `RestError` for a refusal of the API, anything else for what is no answer of it. */
  #accept<T>(answer: NodeAnswer, path: string, read: Read<string, T>): T {
    const { status, text, retryAfter } = answer;
    const words = this.#options.refusal?.(answer, path);
    if (words !== undefined) throw new RestError(answer, words);
    if (isClosed(status)) throw new NodeDown(`answered HTTP ${status}`, { retryAfter });
    if (status < 200 || status >= 300) throw new NodeFailure(`answered HTTP ${status}`);
    try {
      return read(text, answer);
    } catch (cause) {
      if (cause instanceof ConnectError) throw cause;
      throw new ConnectError(
        'node.unreachable',
        'The node answered something else than what was asked.',
        { reason: 'answer' },
        { cause },
      );
    }
  }

  #together(): Group {
    if (!this.#group) {
      this.#group = { order: this.#health.order(this.network.nodes, this.#current), counted: new Set() };
      queueMicrotask(() => (this.#group = undefined));
    }
    return this.#group;
  }

  /** Throws `WrongNetwork` for a node of another network. A node that did not report one is asked again next time. */
  #identify(url: string): Promise<void> {
    const { identity } = this.#options;
    if (!identity) return Promise.resolve();
    let check = this.#identified.get(url);
    if (!check) {
      check = this.#askIdentity(url, identity);
      check.catch(() => this.#identified.delete(url));
      this.#identified.set(url, check);
    }
    return check;
  }

  async #askIdentity(url: string, { path, body, read }: Identity): Promise<void> {
    const posting = body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' };
    const answer = await this.#request(url, path, posting);
    const { status, retryAfter } = answer;
    if (isClosed(status)) throw new NodeDown(`answered HTTP ${status}`, { retryAfter });
    const actual = read(answer);
    if (actual === undefined) throw new NodeFailure('did not tell its network');
    const expected = this.network.genesis ?? this.genesis;
    if (expected !== undefined && actual !== expected) throw new WrongNetwork('network', expected, actual);
    this.genesis = actual;
  }

  async #request(
    url: string,
    path: string,
    { body, type, keepalive = false }: { body?: string; type?: string; keepalive?: boolean },
  ): Promise<NodeAnswer> {
    const answer = await request(
      url.replace(/\/$/, '') + path,
      {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(type && { 'content-type': type }), ...this.#options.headers },
        ...(body !== undefined && { body }),
        keepalive,
      },
      this.#options,
    );
    const { status, retryAfter } = answer;
    // This node cannot serve us now; another might.
    if (status === 429 || status >= 500) throw new NodeDown(`answered HTTP ${status}`, { retryAfter });
    return { ...answer, host: new URL(url).host };
  }
}

/** The client behind a `Node` that `chain.node()` made. */
export function restOf(node: Node): Rest {
  if (node instanceof Rest) return node;
  throw new ConnectError('internal.error', 'The node belongs to another chain.');
}

/** JSON in which whole numbers of 16 digits and more become text: a JavaScript number would round them. */
export function parseExact(text: string): unknown {
  return JSON.parse(
    // Whole tokens: the digits after a point are not a separate number.
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
      /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
    ),
  );
}

/** JSON in which a bigint is a number with all its digits. */
function writeExact(value: unknown): string {
  const mark = '\0';
  const text = JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'bigint' ? `${mark}${one}${mark}` : one,
  );
  return text.replace(/"\\u0000(-?\d+)\\u0000"/g, '$1');
}

/** A refusal of something essential becomes `node.unreachable`, in the node's words. Other errors stay as they are. */
export function couldNotAnswer(error: unknown, reason = (error as Error).message): unknown {
  if (!(error instanceof RestError)) return error;
  return new ConnectError(
    'node.unreachable',
    `The node could not answer: ${reason}`,
    { reason },
    { cause: error },
  );
}

function json<T>(read: Read<unknown, T>): Read<string, T> {
  return (text, answer) => {
    let value: unknown;
    try {
      value = parseExact(text);
    } catch (cause) {
      throw new ConnectError(
        'node.unreachable',
        `The node answered HTTP ${answer.status} with something that is not JSON.`,
        { reason: 'answer' },
        { cause },
      );
    }
    return read(value, answer);
  };
}

/** The node answered, and refuses. `message` is in its own words, cut to a sensible length. */
export class RestError extends Error {
  override name = 'RestError';
  readonly status: number;
  /** The whole body. */
  readonly body: string;
  /** Of the node. */
  readonly host: string | undefined;
  constructor({ status, text, host }: HttpAnswer & Partial<NodeAnswer>, words = text) {
    super(words.trim().slice(0, 500) || `HTTP ${status}`);
    this.status = status;
    this.body = text;
    this.host = host;
  }
}

/** Reads a `RestError` by a chain's table; undefined for any other error. */
export function refusalsBy(table: RefusalTable): (error: unknown) => Refusal | undefined {
  return (error) => (error instanceof RestError ? refusalOf(table, error.message) : undefined);
}
