/**
 * A client of one network's nodes that speak JSON over HTTP, each chain with its own paths. Reads fail over
 * to the next node; calls made in the same microtask count as one round trip.
 */
import { ConnectError } from '../../errors.ts';
import type { Node, NodeOptions } from '../chain.ts';
import { giveToAll, type Refusal, refusalOf, type RefusalTable } from '../nodes/broadcast.ts';
import { type HttpAnswer, isSmall, NodeFailure, request, unreachable, WrongNetwork } from '../nodes/http.ts';
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
   * For nodes that refuse with HTTP 200. Throws `NodeFailure` if another node may do better, `RestError` for
   * a refusal.
   */
  check?(answer: HttpAnswer): void;
}

/** Attempts of the calls that go together, each counted as one round trip. */
type Group = { first: number; counted: Set<number> };

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

  constructor(
    readonly network: Network,
    options: RestOptions = {},
  ) {
    this.host = network.nodes[0] ? new URL(network.nodes[0]).host : '';
    const { fetch, timeout, signal } = options;
    this.http = { fetch, timeout, signal };
    this.#options = options;
  }

  /**
   * JSON at a path such as `/blocks/best`; whole numbers of 16 digits and more come as text. Rejects with `RestError` when the node
   * refuses, with `node.unreachable` when no node answers.
   */
  async get(path: string): Promise<unknown> {
    return json(await this.#read(path));
  }

  async getText(path: string): Promise<string> {
    return (await this.#read(path)).text;
  }

  async post(path: string, body: unknown): Promise<unknown> {
    return json(await this.#read(path, JSON.stringify(body)));
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

  async #read(path: string, body?: string): Promise<HttpAnswer> {
    const { nodes } = this.network;
    const group = this.#together();
    const failures: unknown[] = [];
    for (let i = 0; i < nodes.length; i++) {
      if (!group.counted.has(i)) {
        group.counted.add(i);
        this.rounds++;
      }
      const index = (group.first + i) % nodes.length;
      const url = nodes[index]!;
      try {
        const [answer] = await Promise.all([
          this.#request(url, path, body === undefined ? {} : { body, type: 'application/json' }),
          this.#identify(url),
        ]);
        this.#options.check?.(answer);
        if (answer.status >= 400) throw new RestError(answer);
        this.#current = index;
        this.host = new URL(url).host;
        return answer;
      } catch (error) {
        this.http.signal?.throwIfAborted();
        if (error instanceof RestError) throw error;
        failures.push(error);
      }
    }
    throw unreachable(this.network, this.host, failures);
  }

  #together(): Group {
    if (!this.#group) {
      this.#group = { first: this.#current, counted: new Set() };
      queueMicrotask(() => (this.#group = undefined));
    }
    return this.#group;
  }

  /** Throws `WrongNetwork` for a node of another network. A node that did not report one is asked again next time. */
  #identify(url: string): Promise<void> {
    const { identity } = this.#options;
    if (!identity) return Promise.resolve();
    let known = this.#identified.get(url);
    if (!known) {
      known = this.#askIdentity(url, identity);
      known.catch(() => this.#identified.delete(url));
      this.#identified.set(url, known);
    }
    return known;
  }

  async #askIdentity(url: string, { path, body, read }: Identity): Promise<void> {
    const asked = body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' };
    const actual = read(await this.#request(url, path, asked));
    if (actual === undefined) throw new NodeFailure('did not tell its network');
    const expected = this.network.genesis ?? this.genesis;
    if (expected !== undefined && actual !== expected) throw new WrongNetwork('network', expected, actual);
    this.genesis = actual;
  }

  async #request(
    url: string,
    path: string,
    { body, type, keepalive = false }: { body?: string; type?: string; keepalive?: boolean },
  ): Promise<HttpAnswer> {
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
    // This node cannot serve us now; another might.
    if (answer.status === 429 || answer.status >= 500)
      throw new NodeFailure(`answered HTTP ${answer.status}`);
    return answer;
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

function json({ status, text }: HttpAnswer): unknown {
  try {
    return parseExact(text);
  } catch (cause) {
    throw new ConnectError(
      'node.unreachable',
      `The node answered HTTP ${status} with something that is not JSON.`,
      { reason: 'answer' },
      { cause },
    );
  }
}

/** The node answered, and refuses. `message` is in its own words, cut to a sensible length. */
export class RestError extends Error {
  override name = 'RestError';
  readonly status: number;
  /** The whole body. */
  readonly body: string;
  constructor({ status, text }: HttpAnswer, words = text) {
    super(words.trim().slice(0, 500) || `HTTP ${status}`);
    this.status = status;
    this.body = text;
  }
}

/** Reads a `RestError` by a chain's table; undefined for any other error. */
export function refusalsBy(table: RefusalTable): (error: unknown) => Refusal | undefined {
  return (error) => (error instanceof RestError ? refusalOf(table, error.message) : undefined);
}
