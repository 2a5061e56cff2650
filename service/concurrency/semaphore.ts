/** A semaphore: a fixed number of tasks run at a time, and the others wait in order of arrival. */
import { ConnectError } from '../../src/base/errors.ts';

/** Weight of the newest task in the moving average. */
const NEWEST = 0.2;
const MAX_RETRY_S = 60;

export class Semaphore {
  #free: number;
  /** Average duration of a task in milliseconds; undefined until the first has ended. */
  #average: number | undefined;
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];

  /**
   * While `maxWaiting` tasks wait, further ones are refused with `request.rate-limited`; `retryAfter` estimates when the queue will have
   * drained. `now`: milliseconds of a clock that nobody sets.
   */
  constructor(permits: number, maxWaiting = Infinity, now = (): number => performance.now()) {
    this.#free = permits;
    this.#permits = permits;
    this.#maxWaiting = maxWaiting;
    this.#now = now;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait();
    const since = this.#now();
    try {
      return await work();
    } finally {
      const took = this.#now() - since;
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
