/**
 * Requests that are repeated while the first is still at work get its answer, so that a hundred retries cost one PIN's hash. Only what is the
 * same in every part is shared, the PIN included: another PIN is another request.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { canonical } from '../../src/canonical.ts';

/** Deeper than any body that is read. */
const DEPTH = 100;

/** What is kept of a request while it is at work tells nobody its PIN. */
const SALT = randomBytes(32);

export class SharedWork {
  readonly #running = new Map<string, Promise<unknown>>();

  /** `request`: all that the answer depends on. */
  async run<T>(request: object, work: () => Promise<T>): Promise<T> {
    const id = createHmac('sha256', SALT).update(canonical(request, DEPTH)).digest('base64');
    const running = this.#running.get(id) as Promise<T> | undefined;
    if (running) return running;
    const first = work().finally(() => this.#running.delete(id));
    this.#running.set(id, first);
    return first;
  }
}
