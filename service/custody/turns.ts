/** Work of which only so much may be under way at a time; the rest waits in order. */
import { ConnectError } from '../../src/errors.ts';

export class Turns {
  #free: number;
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];

  /** `most` may wait; what comes on top of that is refused with `request.rate-limited`. */
  constructor(atOnce: number, most = Infinity) {
    this.#free = atOnce;
    this.#most = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#most)
      throw new ConnectError('request.rate-limited', 'The service is busy. Try again in 1 s.', {
        retryAfter: 1,
      });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
