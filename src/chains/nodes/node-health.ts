/** A circuit breaker: which nodes are worth asking now. It outlives the clients, of which there may be one for each request. */
import { NodeDown } from './http.ts';

/** Of a node that does not say when it is back. */
const REST_MS = 15_000;
/** Whatever a node says. */
const LONGEST_REST_MS = 10 * 60_000;
/** A node may be configured anew, and an answer may be cut short for another reason than its size. */
const BATCH_MS = 60 * 60_000;
/** Sites may name any node. */
const MAX_NODES = 1_000;

/** By the node's URL. */
class Remembered<T> {
  readonly #values = new Map<string, { value: T; until: number }>();
  constructor(readonly now: () => number) {}

  get(url: string): T | undefined {
    const entry = this.#values.get(url);
    if (!entry || this.now() < entry.until) return entry?.value;
    this.#values.delete(url);
    return undefined;
  }

  set(url: string, value: T, ms: number): void {
    this.#values.delete(url);
    this.#values.set(url, { value, until: this.now() + ms });
    if (this.#values.size > MAX_NODES) this.#values.delete(this.#values.keys().next().value!);
  }

  forget(url: string): void {
    this.#values.delete(url);
  }
}

export class NodeHealth {
  readonly #rests: Remembered<true>;
  readonly #batchSizes: Remembered<number>;

  /** `now`: milliseconds of any clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#rests = new Remembered(now);
    this.#batchSizes = new Remembered(now);
  }

  /** Indices of `urls` in the order in which to ask them: from `first` on, but those that rest only after the others. */
  order(urls: readonly string[], first: number): number[] {
    const all = urls.map((_, i) => (first + i) % urls.length);
    const rests = (i: number): boolean => this.#rests.get(urls[i]!) === true;
    return [...all.filter((i) => !rests(i)), ...all.filter(rests)];
  }

  /** After a node was asked. */
  note(url: string, failures: readonly unknown[]): void {
    const down = failures.find((failure) => failure instanceof NodeDown);
    if (down) this.#rests.set(url, true, Math.min(down.retryAfter ?? REST_MS, LONGEST_REST_MS));
    else this.#rests.forget(url);
  }

  /** Calls that a node takes in one batch; undefined if it has refused none. */
  batchSize(url: string): number | undefined {
    return this.#batchSizes.get(url);
  }

  refusedBatch(url: string, size: number): void {
    this.#batchSizes.set(url, Math.max(size >> 1, 1), BATCH_MS);
  }
}

const healths = new WeakMap<typeof fetch, NodeHealth>();

/** Of the nodes that are reached by `send`: one for all clients of a page, and one for those of a service. */
export function healthBy(send: typeof fetch = globalThis.fetch, now?: () => number): NodeHealth {
  const health = healths.get(send) ?? new NodeHealth(now);
  healths.set(send, health);
  return health;
}
