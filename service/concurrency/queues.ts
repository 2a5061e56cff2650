/** Work that is done one piece at a time for each id, in this process. */
import { Semaphore } from './semaphore.ts';

export class Queues {
  readonly #queues = new Map<string, { semaphore: Semaphore; users: number }>();

  /** Work that comes while `maxWaiting` pieces wait for the same id is refused with `request.rate-limited`. */
  constructor(readonly maxWaiting: number) {}

  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(id) ?? { semaphore: new Semaphore(1, this.maxWaiting), users: 0 };
    this.#queues.set(id, queue);
    queue.users++;
    try {
      return await queue.semaphore.run(work);
    } finally {
      if (--queue.users === 0) this.#queues.delete(id);
    }
  }
}
