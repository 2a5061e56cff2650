/** A semaphore: only so many pieces of work run at a time, and the others wait in the order in which they came. */
import { ConnectError } from '../../src/errors.ts';

/** How much the newest piece of work counts for what one takes on average. */
const NEWEST = 0.2;
const MAX_RETRY_S = 60;

export class Semaphore {
  #free: number;
  /** Milliseconds; undefined before the first has ended. */
  #average: number | undefined;
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  /**
   * Work that arrives while `maxWaiting` pieces wait is refused with `request.rate-limited`; its `retryAfter` is when those that wait will
   * have ended.
   */
  constructor(permits: number, maxWaiting = Infinity) {
    this.#free = permits;
    this.#permits = permits;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait();
    const since = performance.now();
    try {
      return await work();
    } finally {
      const took = performance.now() - since;
      this.#average = (this.#average ?? took) * (1 - NEWEST) + took * NEWEST;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length < this.#maxWaiting) return new Promise((resolve) => this.#waiting.push(resolve));
    const seconds = ((this.#average ?? 0) * this.#waiting.length) / (this.#permits || 1) / 1000;
    const retryAfter = Math.min(MAX_RETRY_S, Math.max(1, Math.ceil(seconds)));
    throw new ConnectError('request.rate-limited', `The service is busy. Try again in ${retryAfter} s.`, {
      retryAfter,
    });
  }
}
