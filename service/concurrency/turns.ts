/** Long synchronous work that does not block other requests. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work at a time. */
export const BURST = 2;

export class Turns {
  #since = performance.now();

  /** To be awaited between two short steps: from time to time it lets other requests have their turn. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < BURST) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
