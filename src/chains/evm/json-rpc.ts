/**
 * A JSON-RPC 2.0 client of one network's nodes (https://www.jsonrpc.org/specification). Calls made in the
 * same microtask go as one batch. Reads fail over to the next node.
 */
import { ConnectError } from '../../base/errors.ts';
import type { Node, NodeOptions } from '../terms.ts';
import { giveToAll } from '../nodes/broadcast.ts';
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
} from '../nodes/http.ts';
import { healthBy, type NodeHealth } from '../nodes/node-health.ts';
import type { Network } from '../network.ts';
import { RpcError } from './rpc-error.ts';

interface Call {
  method: string;
  params: readonly unknown[];
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  /** What each node that was asked did instead. */
  failures: unknown[];
  /** Shared by calls that one node must answer. */
  bond: object | undefined;
}

/** Calls per HTTP request. More are split over concurrent requests, because nodes limit batch sizes. */
const BATCH = 100;

/** A call as it is sent. */
interface Body {
  id: number;
}

/** `failure`: no answer, or not the chain's. */
type Outcome = { result: unknown } | { error: RpcError } | { failure: unknown };

export class JsonRpc implements Node {
  /** Host name of the node that answered last. */
  host: string;
  rounds = 0;
  /** The chain id that the nodes in use answered with; undefined before the first answer. */
  chainId: number | undefined;
  #queue: Call[] = [];
  #bond: object | undefined;
  /** Index of the node that answered last: the next read begins there. */
  #current = 0;
  /** Nodes whose chain id was compared with the network's. */
  #verified = new Set<string>();
  readonly #http: NodeOptions;
  readonly #health: NodeHealth;

  constructor(
    readonly network: Network,
    options: NodeOptions = {},
  ) {
    this.host = network.nodes[0] ? new URL(network.nodes[0]).host : '';
    this.#http = optionsOn(network, options);
    this.#health = healthBy(options.fetch);
  }

  /** A client of each node by itself. */
  each(): JsonRpc[] {
    const { network } = this;
    return network.nodes.map((url) => new JsonRpc({ ...network, nodes: [url] }, this.#http));
  }

  /**
   * Rejects with `RpcError` if a node returns an error of the call, with `node.unreachable` if no node answers, or each returns one of
   * its own (`rpcErrorIn`).
   */
  call(method: string, ...params: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ method, params, resolve, reject, failures: [], bond: this.#bond });
      if (this.#queue.length > 1) return;
      queueMicrotask(() => {
        const calls = this.#queue;
        this.#queue = [];
        void this.#read(calls);
      });
    });
  }

  /** The calls that `ask` makes at once are all answered by the same node: another one may be some blocks behind. */
  fromOneNode<T>(ask: () => T): T {
    this.#bond = {};
    try {
      return ask();
    } finally {
      this.#bond = undefined;
    }
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
      const outcome = outcomesOf((await this.#post(url, body, keepalive)).answer, [{ id: 1 }]).get(1);
      if (!outcome || 'failure' in outcome) throw new NodeFailure('did not answer the call');
      if ('error' in outcome && !accepted(outcome.error)) throw outcome.error;
      if ('result' in outcome && typeof outcome.result !== 'string')
        throw new NodeFailure('did not answer the call');
      this.host = new URL(url).host;
      return 'result' in outcome ? outcome.result : undefined;
    };
    return giveToAll(this.network, give, this.#http.signal);
  }

  /** Each call goes to one node after the other until one answers it. */
  async #read(calls: Call[]): Promise<void> {
    const { nodes } = this.network;
    const { signal } = this.#http;
    let open = calls;
    for (const index of this.#health.order(nodes, this.#current)) {
      const url = nodes[index]!;
      const batch = open;
      const outcomes = await this.#ask(url, batch);
      const failures = shared(outcomes.map(failureIn), batch);
      open = batch.filter((_, i) => failures[i] !== undefined);
      if (open.length === 0) this.#current = index;
      if (open.length < batch.length) this.host = new URL(url).host;
      for (const [i, { resolve, reject, failures: earlier }] of batch.entries()) {
        const outcome = outcomes[i]!;
        if (failures[i] !== undefined) earlier.push(failures[i]);
        else if ('result' in outcome) resolve(outcome.result);
        else if ('error' in outcome) reject(outcome.error);
      }
      if (open.length === 0 || signal?.aborted) break;
    }
    for (const { reject, failures } of open)
      reject(signal?.aborted ? signal.reason : unreachable(this.network, this.host, failures));
  }

  /** Asks one node, and also for its chain id the first time. */
  async #ask(url: string, calls: readonly Call[]): Promise<Outcome[]> {
    const verify = !this.#verified.has(url);
    const bodies = [...(verify ? [{ method: 'eth_chainId', params: [] }] : []), ...calls].map(
      ({ method, params }, i) => ({ jsonrpc: '2.0', id: i + 1, method, params }),
    );
    const outcomes = await this.#exchange(url, bodies);
    this.#health.note(url, outcomes.map(failureIn));
    if (!verify) return outcomes;
    const [answer, ...rest] = outcomes;
    const failure = failureIn(answer!) ?? this.#verify(url, answer!);
    return failure === undefined ? rest : rest.map(() => ({ failure }));
  }

  /** Why the node must not be used, by its chain id. */
  #verify(url: string, answer: Outcome): NodeFailure | WrongNetwork | undefined {
    const chainId = 'result' in answer ? Number(answer.result) : NaN;
    if (!Number.isSafeInteger(chainId) || chainId < 1) return new NodeFailure('did not tell its chain id');
    const expected = this.network.chainId ?? this.chainId;
    if (expected !== undefined && chainId !== expected)
      return new WrongNetwork('chain id', expected, chainId);
    this.chainId = chainId;
    this.#verified.add(url);
    return undefined;
  }

  /** In batches as large as the node takes them: what is left of one that it refuses goes in halves, down to one by one. */
  async #exchange(url: string, bodies: readonly Body[]): Promise<Outcome[]> {
    const outcomes = new Map<number, Outcome>();
    for (let open = bodies; open.length > 0; open = open.filter(({ id }) => !outcomes.has(id))) {
      if (open !== bodies) this.#health.refusedBatch(url, Math.min(open.length, this.#batchSize(url)));
      this.rounds++;
      const size = this.#batchSize(url);
      const batches = Array.from({ length: Math.ceil(open.length / size) }, (_, i) =>
        open.slice(i * size, (i + 1) * size),
      );
      for (const answers of await Promise.all(batches.map((batch) => this.#send(url, batch))))
        for (const [id, outcome] of answers) outcomes.set(id, outcome);
    }
    return bodies.map(({ id }) => outcomes.get(id)!);
  }

  #batchSize(url: string): number {
    return this.#health.batchSize(url) ?? BATCH;
  }

  /** One request. Has nothing for a call that may be answered in a smaller batch. */
  async #send(url: string, batch: readonly Body[]): Promise<Map<number, Outcome>> {
    const isBatch = batch.length > 1;
    try {
      const { status, answer, retryAfter } = await this.#post(
        url,
        JSON.stringify(isBatch ? batch : batch[0]),
        false,
      );
      const outcomes = outcomesOf(answer, batch, retryAfter);
      if (isBatch || outcomes.size > 0) return outcomes;
      throw new NodeFailure(status < 300 ? 'did not answer the call' : `answered HTTP ${status}`);
    } catch (failure) {
      return new Map(batch.map(({ id }) => [id, { failure }]));
    }
  }

  /** `answer`: undefined for a body that is too large for the node, or that ends before the answer does. */
  async #post(
    url: string,
    body: string,
    keepalive: boolean,
  ): Promise<Omit<HttpAnswer, 'text'> & { answer: unknown }> {
    const { text, ...rest } = await request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive },
      this.#http,
    );
    const { status, retryAfter } = rest;
    if (status === 413) return { ...rest, answer: undefined };
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch (cause) {
      if (status < 300 && /^\s*\[/.test(text)) return { ...rest, answer: undefined };
      throw new NodeDown(`answered HTTP ${status} with something that is not JSON`, { cause, retryAfter });
    }
    // Some nodes put a JSON-RPC error into a 4xx or 5xx; anything else with such a status is a failure.
    const isRpc =
      Array.isArray(answer) || (typeof answer === 'object' && answer !== null && 'jsonrpc' in answer);
    const ok = status >= 200 && status < 300;
    if (!ok && (!isRpc || isClosed(status))) throw new NodeDown(`answered HTTP ${status}`, { retryAfter });
    return { ...rest, answer };
  }
}

/** The client behind a `Node` that `chain.node()` made. */
export function rpcOf(node: Node): JsonRpc {
  if (node instanceof JsonRpc) return node;
  throw new ConnectError('internal.error', 'The node belongs to another chain.');
}

/** Answers by id. One object to a batch, or one without an id, is about all of it: only a limit is believed. */
function outcomesOf(answer: unknown, batch: readonly Body[], retryAfter?: number): Map<number, Outcome> {
  const outcomes = new Map<number, Outcome>();
  const isBatch = batch.length > 1;
  let limit: RpcError | undefined;
  for (const item of Array.isArray(answer) ? (answer as unknown[]) : [answer]) {
    if (typeof item !== 'object' || item === null) continue;
    const { id, error } = item as { id?: unknown; error?: unknown };
    const said = typeof error === 'object' && error !== null ? new RpcError(error, retryAfter) : undefined;
    const named = batch.find((body) => body.id === id);
    // A node that could not read a call answers with id null.
    const of = isBatch ? Array.isArray(answer) && named : typeof id === 'number' ? named : batch[0];
    if (!of) limit ??= said?.reading === 'limit' ? said : undefined;
    else if (said && !(isBatch && said.reading === 'batch')) outcomes.set(of.id, { error: said });
    else if (!said && 'result' in item) outcomes.set(of.id, { result: item.result });
  }
  if (limit) for (const { id } of batch) if (!outcomes.has(id)) outcomes.set(id, { error: limit });
  return outcomes;
}

/** Of calls that one node must answer, the failure of one is that of all. */
function shared(failures: readonly unknown[], calls: readonly Call[]): unknown[] {
  return failures.map(
    (failure, i) =>
      failure ??
      (calls[i]!.bond &&
        failures.find((other, j) => other !== undefined && calls[j]!.bond === calls[i]!.bond)),
  );
}

/** Why another node is asked. */
function failureIn(outcome: Outcome): unknown {
  if ('failure' in outcome) return outcome.failure;
  if ('result' in outcome || outcome.error.isAnswer) return undefined;
  const { reading, retryAfter, message } = outcome.error;
  if (reading === 'limit') return new NodeDown('is over its limit', { retryAfter });
  return new NodeFailure(`could not answer: ${message}`, outcome.error);
}
