/**
 * A request that is repeated while the first one is in progress gets the same answer, so that a hundred retries cost one PIN hash. Requests
 * count as the same only if every part is equal, the PIN included.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { canonical } from '../../src/base/canonical.ts';

/** Deeper than any body that the service accepts. */
const DEPTH = 100;

/** Keyed, so that the hash of a request in progress does not reveal its PIN. */
const SALT = randomBytes(32);

export class SharedWork {
  readonly #running = new Map<string, Promise<unknown>>();

  /** `request`: everything that the answer depends on. */
  async run<T>(request: object, work: () => Promise<T>): Promise<T> {
    const id = createHmac('sha256', SALT).update(canonical(request, DEPTH)).digest('base64');
    const running = this.#running.get(id) as Promise<T> | undefined;
    if (running) return running;
    const first = work().finally(() => this.#running.delete(id));
    this.#running.set(id, first);
    return first;
  }
}
