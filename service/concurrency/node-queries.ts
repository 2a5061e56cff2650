/** Limits what callers make the service ask a network's nodes. */
import { Semaphore } from './semaphore.ts';

/** Queries at a time on one network: a slow network must not hold up the others. */
const CONCURRENT = 16;
const MAX_WAITING = 200;
const REUSED_MS = 1_000;

export class NodeQueries {
  readonly #semaphores = new Map<string, Semaphore>();
  readonly #answers = new Map<string, Promise<unknown>>();

  /** Throws `request.rate-limited` when too many queries wait for the network. */
  run<T>(network: string, query: () => Promise<T>): Promise<T> {
    let semaphore = this.#semaphores.get(network);
    if (!semaphore) {
      semaphore = new Semaphore(CONCURRENT, MAX_WAITING);
      this.#semaphores.set(network, semaphore);
    }
    return semaphore.run(query);
  }

  /** Callers with an equal `key` share one query while it runs and for a second afterwards. A failure is not kept. */
  runShared<T>(network: string, key: unknown, query: () => Promise<T>): Promise<T> {
    const id = `${network} ${JSON.stringify(key)}`;
    const current = this.#answers.get(id) as Promise<T> | undefined;
    if (current) return current;
    const answer = this.run(network, query);
    this.#answers.set(id, answer);
    const forget = () => void this.#answers.delete(id);
    answer.then(() => setTimeout(forget, REUSED_MS).unref(), forget);
    return answer;
  }
}
