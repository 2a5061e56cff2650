/**
 * A JSON-RPC 2.0 client of one network's nodes (https://www.jsonrpc.org/specification). Calls made in the
 * same microtask go as one batch. Reads fail over to the next node.
 */
import { ConnectError } from '../../errors.ts';
import type { Node, NodeOptions } from '../chain.ts';
import { giveToAll } from '../nodes/broadcast.ts';
import { isSmall, NodeFailure, request, unreachable, WrongNetwork } from '../nodes/http.ts';
import type { Network } from '../network.ts';

interface Call {
  method: string;
  params: readonly unknown[];
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Calls per HTTP request. More are split over concurrent requests, because nodes limit batch sizes. */
const BATCH = 100;

type Outcome = { result: unknown } | { error: RpcError };

export class JsonRpc implements Node {
  /** Host name of the node that answered last. */
  host: string;
  rounds = 0;
  /** The chain id that the nodes in use answered with; undefined before the first answer. */
  chainId: number | undefined;
  #queue: Call[] = [];
  /** Index of the node that answered last: the next read begins there. */
  #current = 0;
  /** Nodes that do not take batches. */
  #single = new Set<string>();
  /** Nodes whose chain id was compared with the network's. */
  #verified = new Set<string>();
  readonly #http: NodeOptions;

  constructor(
    readonly network: Network,
    options: NodeOptions = {},
  ) {
    this.host = network.nodes[0] ? new URL(network.nodes[0]).host : '';
    this.#http = options;
  }

  /** Rejects with `RpcError` if the node returns an error, with `node.unreachable` if no node answers. */
  call(method: string, ...params: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ method, params, resolve, reject });
      if (this.#queue.length > 1) return;
      queueMicrotask(() => {
        const calls = this.#queue;
        this.#queue = [];
        void this.#read(calls);
      });
    });
  }

  /**
   * Sends to every node at once and answers as soon as one accepts; rejects with `NotTaken` if none does. A refusal for which `accepted`
   * returns true counts as an acceptance. Continues when the page closes.
   */
  async send(
    method: string,
    params: readonly unknown[],
    accepted: (refusal: RpcError) => boolean,
  ): Promise<unknown> {
    this.rounds++;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const keepalive = isSmall(body, this.network.nodes.length);
    const give = async (url: string): Promise<unknown> => {
      const outcome = outcomesOf(await this.#post(url, body, keepalive), 1)?.get(1);
      if (!outcome) throw new NodeFailure('did not answer the call');
      if ('error' in outcome && !accepted(outcome.error)) throw outcome.error;
      if ('result' in outcome && typeof outcome.result !== 'string')
        throw new NodeFailure('did not answer the call');
      this.host = new URL(url).host;
      return 'result' in outcome ? outcome.result : undefined;
    };
    return giveToAll(this.network, give, this.#http.signal);
  }

  async #read(calls: Call[]): Promise<void> {
    const { nodes } = this.network;
    const failures: unknown[] = [];
    for (let i = 0; i < nodes.length; i++) {
      const index = (this.#current + i) % nodes.length;
      try {
        const outcomes = await this.#ask(nodes[index]!, calls);
        this.#current = index;
        this.host = new URL(nodes[index]!).host;
        for (const [j, outcome] of outcomes.entries()) {
          if ('error' in outcome) calls[j]!.reject(outcome.error);
          else calls[j]!.resolve(outcome.result);
        }
        return;
      } catch (error) {
        failures.push(error);
        if (this.#http.signal?.aborted) break;
      }
    }
    const { signal } = this.#http;
    const error: unknown = signal?.aborted ? signal.reason : this.#unreachable(failures);
    for (const call of calls) call.reject(error);
  }

  /** Sends `calls` to one node, asking for its chain id the first time. Throws if the node must not be used. */
  async #ask(url: string, calls: readonly Call[]): Promise<Outcome[]> {
    const verify = !this.#verified.has(url);
    const bodies = [...(verify ? [{ method: 'eth_chainId', params: [] }] : []), ...calls].map((call, i) => ({
      jsonrpc: '2.0',
      id: i + 1,
      method: call.method,
      params: call.params,
    }));
    const outcomes = await this.#exchange(url, bodies);
    if (outcomes.some((outcome) => 'error' in outcome && outcome.error.busy))
      throw new NodeFailure('is over its limit');
    if (!verify) return outcomes;
    const [answer, ...rest] = outcomes;
    if (!answer || 'error' in answer) throw new NodeFailure('did not tell its chain id');
    const chainId = Number(answer.result);
    if (!Number.isSafeInteger(chainId) || chainId < 1) throw new NodeFailure('did not tell its chain id');
    const expected = this.network.chainId ?? this.chainId;
    if (expected !== undefined && chainId !== expected) throw new WrongNetwork('chain id', expected, chainId);
    this.chainId = chainId;
    this.#verified.add(url);
    return rest;
  }

  async #exchange(url: string, bodies: readonly { id: number }[]): Promise<Outcome[]> {
    if (bodies.length === 1 || this.#single.has(url)) return this.#oneByOne(url, bodies);
    this.rounds++;
    const batches = Array.from({ length: Math.ceil(bodies.length / BATCH) }, (_, i) =>
      bodies.slice(i * BATCH, (i + 1) * BATCH),
    );
    const found = await Promise.all(
      batches.map(async (batch) =>
        outcomesOf(await this.#post(url, JSON.stringify(batch), false), batch.length),
      ),
    );
    if (found.includes(undefined)) {
      // Some public nodes refuse batches with a single error object, or cut them short.
      this.#single.add(url);
      return this.#oneByOne(url, bodies);
    }
    return bodies.map(({ id }, i) => found[Math.floor(i / BATCH)]!.get(id)!);
  }

  async #oneByOne(url: string, bodies: readonly { id: number }[]): Promise<Outcome[]> {
    this.rounds++;
    return Promise.all(
      bodies.map(async (body) => {
        const answer = await this.#post(url, JSON.stringify(body), false);
        const outcome = outcomesOf(answer, 1, body.id)?.get(body.id);
        if (!outcome) throw new NodeFailure('did not answer the call');
        return outcome;
      }),
    );
  }

  async #post(url: string, body: string, keepalive: boolean): Promise<unknown> {
    const { status, text } = await request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive },
      this.#http,
    );
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch (cause) {
      throw new NodeFailure(`answered HTTP ${status} with something that is not JSON`, cause);
    }
    // Some nodes put a JSON-RPC error into a 4xx or 5xx; anything else with such a status is a failure.
    const isRpc =
      Array.isArray(answer) || (typeof answer === 'object' && answer !== null && 'jsonrpc' in answer);
    const ok = status >= 200 && status < 300;
    if (!ok && (!isRpc || status === 429)) throw new NodeFailure(`answered HTTP ${status}`);
    return answer;
  }

  #unreachable(failures: readonly unknown[]): ConnectError {
    return unreachable(this.network, this.host, failures);
  }
}

/** The client behind a `Node` that `chain.node()` made. */
export function rpcOf(node: Node): JsonRpc {
  if (node instanceof JsonRpc) return node;
  throw new ConnectError('internal.error', 'The node belongs to another chain.');
}

/** Answers by id, or undefined unless there is one for each of `count` calls. */
function outcomesOf(answer: unknown, count: number, onlyId?: number): Map<number, Outcome> | undefined {
  const items = Array.isArray(answer) ? answer : count === 1 ? [answer] : undefined;
  if (!items) return undefined;
  const found = new Map<number, Outcome>();
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    const { id, error } = item as { id?: unknown; error?: unknown };
    // A node that could not read the call answers with id null.
    const key = typeof id === 'number' ? id : count === 1 ? (onlyId ?? 1) : undefined;
    if (key === undefined) continue;
    if (typeof error === 'object' && error !== null) found.set(key, { error: new RpcError(error) });
    else if ('result' in item) found.set(key, { result: item.result });
  }
  return found.size >= count ? found : undefined;
}

/** The node answered, and its answer is an error. `message` is in its own words, cut to a sensible length. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  /** Revert bytes, where the node gives them. */
  readonly data: string | undefined;
  constructor(error: object) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    super(typeof message === 'string' ? message.slice(0, 500) : 'unknown error');
    this.code = typeof code === 'number' ? code : 0;
    this.data = typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data) ? data : undefined;
  }
  get unsupported(): boolean {
    return (
      this.code === -32601 || /method not found|does not exist|not (available|supported)/i.test(this.message)
    );
  }
  /** This node cannot serve us now; another might. */
  get busy(): boolean {
    return this.code === -32005 || this.code === -32002 || /rate limit|too many requests/i.test(this.message);
  }
}
