/** A wallet service that keeps encrypted copies, for the pages of a browser profile. */
import type { BrowserContext, Route } from 'playwright-core';
import { systemClock } from '../../src/base/clock.ts';
import { FakeServer } from '../unit/sync/fake-server.ts';

/** To be named by `world.vouchedBy`. */
export const COPIES = 'https://copies.example';

export class CopyService {
  readonly server = new FakeServer(systemClock);
  /** Runs before an answer to `/sync/{kind}/{id}`. */
  before: (route: Route) => Promise<void> = async () => {};
  readonly #frame: string;

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

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const headers = {
      'Access-Control-Allow-Origin': this.#frame,
      'Access-Control-Expose-Headers': 'ETag',
    };
    if (new URL(request.url()).pathname === '/sync') return route.fulfill({ json: { years: 3 }, headers });
    await this.before(route);
    const body = request.postDataBuffer();
    const response = await this.server.fetch(request.url(), {
      method: request.method(),
      headers: await request.allHeaders(),
      body: body ? new Uint8Array(body) : null,
    });
    await route.fulfill({
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
      body: Buffer.from(await response.arrayBuffer()),
    });
  }
}
