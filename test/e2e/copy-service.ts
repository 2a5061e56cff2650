/** A wallet service that keeps encrypted copies, for the pages of a browser profile. */
import type { BrowserContext, Route } from 'playwright-core';
import { systemClock } from '../../src/base/clock.ts';
import { FakeServer } from '../unit/sync/fake-server.ts';

/** To be named by `world.vouchedBy`. */
export const COPIES = 'https://copies.example';

export class CopyService {
  readonly server = new FakeServer(systemClock);
  readonly #frame: string;
  /** A request that waits, by method and kind; `isLost`: the service has done what it asks. */
  #held: { request: string; isLost: boolean; reach(): void; released: Promise<void> } | undefined;
  /** Lets it go on. */
  release: () => void = () => {};

  /** `frame`: base URL of the wallet's origin. */
  constructor(frame: string) {
    this.#frame = frame;
  }

  /** Several profiles may have the same service. */
  async plug(context: BrowserContext): Promise<void> {
    await context.route(`${COPIES}/**`, (route) => this.#answer(route));
  }

  /** How many copies are kept: objects that are no tombstone. */
  get kept(): number {
    return [...this.server.objects].filter(([path, object]) => path.includes('/vault/') && object[6] !== 1)
      .length;
  }

  /** Holds the next `request`, such as `PUT slot`, until `release`: before the service does it, or before its answer. Resolves when it is there. */
  hold(request: string, isLost: boolean): Promise<void> {
    const released = new Promise<void>((resolve) => {
      this.release = () => {
        this.#held = undefined;
        resolve();
      };
    });
    return new Promise((reach) => {
      this.#held = { request, isLost, reach, released };
    });
  }

  async #waits(request: string, isLost: boolean): Promise<void> {
    const held = this.#held;
    if (held?.request !== request || held.isLost !== isLost) return;
    held.reach();
    await held.released;
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const headers = {
      'Access-Control-Allow-Origin': this.#frame,
      'Access-Control-Expose-Headers': 'ETag',
    };
    if (new URL(request.url()).pathname === '/sync')
      return route.fulfill({ json: { years: 3 }, headers }).catch(() => {});
    const [, , kind] = new URL(request.url()).pathname.split('/');
    const what = `${request.method()} ${kind}`;
    await this.#waits(what, false);
    const body = request.postDataBuffer();
    // With the page that asks, its request may be gone.
    const sent = await request.allHeaders().catch(() => undefined);
    if (!sent) return;
    const response = await this.server.fetch(request.url(), {
      method: request.method(),
      headers: sent,
      body: body ? new Uint8Array(body) : null,
    });
    await this.#waits(what, true);
    // The page that asked may be gone.
    const answer = route.fulfill({
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
      body: Buffer.from(await response.arrayBuffer()),
    });
    await answer.catch(() => {});
  }
}
