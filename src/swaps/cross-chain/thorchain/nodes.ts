/** THORNodes: what they are asked, with limits to time and size, and never more than what an answer is used for. */
import type * as z from 'zod/mini';
import type { Clock } from '../../../base/clock.ts';
import { NodeDown, NodeFailure, request } from '../../../chains/nodes/http.ts';
import type { NodeOptions } from '../../../chains/terms.ts';
import {
  BlockAnswer,
  DetailsAnswer,
  EventsAnswer,
  InboundAnswer,
  MimirAnswer,
  PoolsAnswer,
  QuoteAnswer,
  type Refund,
  refundsIn,
  refusalOf,
  StatusAnswer,
  VaultsAnswer,
} from './answers.ts';
import { NotAvailable } from './assets.ts';
import type { ThorchainEntry } from './entry.ts';

export interface ThorOptions extends NodeOptions {
  clock: Clock;
}

/** Bytes of an answer at most: a block has its transactions. */
const LARGEST = 4 * 1024 * 1024;

/** One of them. */
export interface ThorNode {
  pools(): Promise<z.infer<typeof PoolsAnswer>>;
  inbound(): Promise<z.infer<typeof InboundAnswer>>;
  vaults(): Promise<z.infer<typeof VaultsAnswer>>;
  mimir(): Promise<z.infer<typeof MimirAnswer>>;
  block(): Promise<z.infer<typeof BlockAnswer>['header']>;
  quote(question: Record<string, string>): Promise<QuoteAnswer>;
  /** Of the deposit with this hash, in any form. An unknown one is not `started`. */
  status(hash: string): Promise<z.infer<typeof StatusAnswer>>;
  /** Of the deposit with this hash, in any form. Throws `NodeFailure` for an answer about another one. */
  details(hash: string): Promise<z.infer<typeof DetailsAnswer>>;
  /** What a block of THORChain sent back. Throws `NodeFailure` for an answer about another block. */
  refunds(height: number): Promise<Refund[]>;
}

/** A transaction's id as nodes write it. */
export function idOf(hash: string): string {
  return hash.replace(/^0x/i, '').toUpperCase();
}

export class ThorNodes {
  /** Requests so far. */
  requests = 0;
  readonly clock: Clock;
  readonly #options: NodeOptions;
  readonly #nodes: readonly ThorNode[];
  /** The node that answered last: the next question goes to it first. */
  #current = 0;

  constructor({ nodes }: Pick<ThorchainEntry, 'nodes'>, { clock, ...options }: ThorOptions) {
    this.clock = clock;
    this.#options = { largest: LARGEST, ...options };
    this.#nodes = nodes.map(({ url }) => this.#nodeAt(url.replace(/\/$/, '')));
  }

  /**
   * Asks one node after the other until one answers everything. Throws `NotAvailable` for a refusal, which other nodes would repeat, and if
   * none answers.
   */
  async first<T>(ask: (node: ThorNode) => Promise<T>): Promise<T> {
    const failures: unknown[] = [];
    for (let i = 0; i < this.#nodes.length; i++) {
      const index = (this.#current + i) % this.#nodes.length;
      try {
        const answer = await ask(this.#nodes[index]!);
        this.#current = index;
        return answer;
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        failures.push(error);
      }
    }
    throw noAnswer(failures[0]);
  }

  /** Asks two nodes at once. Throws `NotAvailable` if one does not answer; another one is asked next time. */
  async two<T>(ask: (node: ThorNode) => Promise<T>): Promise<[T, T]> {
    const pair = [0, 1].map((i) => (this.#current + i) % this.#nodes.length);
    const answers = await Promise.allSettled(pair.map((index) => ask(this.#nodes[index]!)));
    const failed = answers.findIndex(({ status }) => status === 'rejected');
    const [one, other] = answers;
    if (one?.status === 'fulfilled' && other?.status === 'fulfilled') return [one.value, other.value];
    this.#options.signal?.throwIfAborted();
    // The other one of the pair stays, and its neighbour comes with it.
    this.#current = failed === 0 ? pair[1]! : (pair[0]! + this.#nodes.length - 1) % this.#nodes.length;
    const { reason } = answers[failed] as PromiseRejectedResult;
    throw reason instanceof NodeFailure ? noAnswer(reason) : reason;
  }

  /**
   * Asks two nodes at once and, until two of them say the same, the others one after the other. Those that do not answer are left out. Throws
   * `NotAvailable` if none does.
   */
  async reports<T>(ask: (node: ThorNode) => Promise<T>, isSame: (one: T, other: T) => boolean): Promise<T[]> {
    const reports: T[] = [];
    const failures: unknown[] = [];
    const add = async (index: number): Promise<void> => {
      try {
        reports.push(await ask(this.#nodes[index]!));
      } catch (error) {
        if (!(error instanceof NodeFailure || error instanceof NotAvailable)) throw error;
        failures.push(error);
      }
    };
    const order = this.#nodes.map((_, i) => (this.#current + i) % this.#nodes.length);
    await Promise.all(order.slice(0, 2).map(add));
    const areTwoAlike = (): boolean =>
      reports.some((one, i) => reports.slice(i + 1).some((other) => isSame(one, other)));
    for (const index of order.slice(2)) if (!areTwoAlike()) await add(index);
    if (reports.length === 0) throw noAnswer(failures[0]);
    return reports;
  }

  #nodeAt(url: string): ThorNode {
    const get = <T>(path: string, answer: z.ZodMiniType<T>): Promise<T> =>
      this.#get(`${url}/thorchain/${path}`, answer);
    return {
      pools: () => get('pools', PoolsAnswer),
      inbound: () => get('inbound_addresses', InboundAnswer),
      vaults: () => get('vaults/asgard', VaultsAnswer),
      mimir: () => get('mimir', MimirAnswer),
      block: async () => (await get('block', BlockAnswer)).header,
      quote: (question) => get(`quote/swap?${new URLSearchParams(question)}`, QuoteAnswer),
      status: (hash) => get(`tx/status/${idOf(hash)}`, StatusAnswer),
      details: async (hash) => {
        const details = await get(`tx/details/${idOf(hash)}`, DetailsAnswer);
        if (details.tx_id !== undefined && idOf(details.tx_id) !== idOf(hash))
          throw new NodeFailure('answers for another transaction than it was asked for');
        return details;
      },
      refunds: async (height) => {
        const block = await get(`block?height=${height}`, EventsAnswer);
        if (block.header.height !== height)
          throw new NodeFailure('answers for another block than it was asked for');
        return refundsIn(block);
      },
    };
  }

  /** Throws `NotAvailable` for a refusal, `NodeFailure` for what is no answer. */
  async #get<T>(url: string, answer: z.ZodMiniType<T>): Promise<T> {
    this.requests++;
    const { status, text, retryAfter } = await request(
      url,
      { headers: { accept: 'application/json' } },
      this.#options,
    );
    if (status !== 200) {
      if (status === 429 || status === 503) throw new NodeDown(`answered HTTP ${status}`, { retryAfter });
      throw refusalOf(text) ?? new NodeFailure(`answered HTTP ${status}`);
    }
    let body: unknown;
    try {
      // Numbers are heights and times, which are exact; an amount that is a number is refused.
      body = JSON.parse(text);
    } catch (cause) {
      throw new NodeFailure('answered something that is not JSON', cause);
    }
    const { data, error } = answer.safeParse(body);
    if (error)
      throw new NodeFailure(
        `answered something else than was asked, at ${error.issues[0]!.path.join('.')}`,
        error,
      );
    return data as T;
  }
}

export function noAnswer(cause: unknown): NotAvailable {
  const words = cause instanceof Error ? cause.message : 'does not answer';
  return new NotAvailable('nodes', `A node of THORChain ${words}.`, cause);
}
