/** A semaphore: only so many pieces of work run at a time, and the others wait in the order in which they came. */
import { ConnectError } from '../../src/errors.ts';

export class Semaphore {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  /** Work that arrives while `maxWaiting` pieces wait is refused with `request.rate-limited`. */
  constructor(permits: number, maxWaiting = Infinity) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting)
      throw new ConnectError('request.rate-limited', 'The service is busy. Try again in 1 s.', {
        retryAfter: 1,
      });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
