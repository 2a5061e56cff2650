/** Keeps the rates for a query fresh while they are on screen. */
import type { ExchangeRates, RatesQuery } from '../../api/swap.ts';
import type { Clock } from '../../base/clock.ts';
import type { ConnectError } from '../../base/errors.ts';

/** Delay before a query is sent, so that none is sent for each key press. */
const TYPING_MS = 300;
const REFRESH_MS = 15_000;
/** The displayed age advances in these steps. */
const TICK_MS = 5_000;

/** What the form needs of a clock: the frame's own, or in a site's page the browser's. */
export type FormClock = Pick<Clock, 'date' | 'after' | 'every'>;

/** What shows the rates. */
interface Watcher {
  readonly current: { swapRates(query: RatesQuery): Promise<ExchangeRates> };
  requestUpdate(): void;
}

export class RateWatch {
  /** For the query last given to `follow`, unless `stale`. */
  rates: ExchangeRates | undefined;
  /** Whether `rates` are for an earlier query. */
  stale = false;
  busy = false;
  /** Why the last request failed. */
  error: ConnectError | undefined;
  #query: RatesQuery | undefined;
  #key = '';
  #at = 0;
  #sequence = 0;
  #cancel = (): void => {};
  #stopTicker = (): void => {};
  #running = false;

  constructor(
    private readonly host: Watcher,
    /** Called for each answer; `first`: it is the first one to this query. */
    private readonly onRates: (first: boolean) => void,
    private readonly clock: () => FormClock,
  ) {}

  /** Milliseconds since 1970, by the same clock. */
  date(): number {
    return this.clock().date();
  }

  /** In seconds, rounded down to a step. */
  get age(): number {
    return Math.floor((this.date() - this.#at) / TICK_MS) * (TICK_MS / 1000);
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    document.addEventListener('visibilitychange', this.#onVisible);
    this.#stopTicker = this.clock().every(TICK_MS, () => this.rates && this.host.requestUpdate());
    if (this.#query) this.#onVisible();
  }

  stop(): void {
    this.#running = false;
    this.#sequence++;
    this.busy = false;
    this.#cancel();
    this.#stopTicker();
    document.removeEventListener('visibilitychange', this.#onVisible);
  }

  /** Before each update: requests rates if the query has changed. */
  follow(query: RatesQuery | undefined): void {
    const key = query ? JSON.stringify(query) : '';
    if (key === this.#key) return;
    this.#key = key;
    this.#query = query;
    this.#sequence++;
    this.error = undefined;
    this.busy = !!query;
    this.stale = true;
    if (!query) this.rates = undefined;
    this.#cancel();
    if (query) this.#refreshIn(TYPING_MS);
  }

  async refresh(): Promise<void> {
    const query = this.#query;
    if (!query || !this.#running) return;
    this.#cancel();
    const sequence = ++this.#sequence;
    this.busy = true;
    this.host.requestUpdate();
    try {
      const rates = await this.host.current.swapRates(query);
      if (sequence !== this.#sequence) return;
      const first = this.stale || !this.rates;
      this.rates = rates;
      this.stale = false;
      this.error = undefined;
      this.#at = this.date();
      this.busy = false;
      this.onRates(first);
    } catch (error) {
      if (sequence !== this.#sequence) return;
      this.error = error as ConnectError;
      // Old rates are shown with their age, but never for another query.
      if (this.stale) this.rates = undefined;
      this.busy = false;
    }
    this.host.requestUpdate();
    if (!document.hidden) this.#refreshIn(REFRESH_MS);
  }

  #refreshIn(milliseconds: number): void {
    this.#cancel = this.clock().after(milliseconds, () => void this.refresh());
  }

  readonly #onVisible = (): void => {
    if (!document.hidden && this.date() - this.#at > REFRESH_MS) void this.refresh();
  };
}
