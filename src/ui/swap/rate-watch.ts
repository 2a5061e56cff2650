/** Keeps the rates for a query fresh while they are on screen. */
import type { ExchangeRates, RatesQuery } from '../../api/swap.ts';
import type { ConnectError } from '../../base/errors.ts';

/** Delay before a query is sent, so that none is sent for each key press. */
const TYPING_MS = 300;
const REFRESH_MS = 15_000;
/** The displayed age advances in these steps. */
const TICK_MS = 5_000;

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
  #timer = 0;
  #ticker = 0;
  #running = false;

  constructor(
    private readonly host: Watcher,
    /** Called for each answer; `first`: it is the first one to this query. */
    private readonly onRates: (first: boolean) => void,
  ) {}

  /** In seconds, rounded down to a step. */
  get age(): number {
    return Math.floor((Date.now() - this.#at) / TICK_MS) * (TICK_MS / 1000);
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    document.addEventListener('visibilitychange', this.#onVisible);
    this.#ticker = window.setInterval(() => this.rates && this.host.requestUpdate(), TICK_MS);
    if (this.#query) this.#onVisible();
  }

  stop(): void {
    this.#running = false;
    this.#sequence++;
    this.busy = false;
    clearTimeout(this.#timer);
    clearInterval(this.#ticker);
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
    clearTimeout(this.#timer);
    if (query) this.#timer = window.setTimeout(() => void this.refresh(), TYPING_MS);
  }

  async refresh(): Promise<void> {
    const query = this.#query;
    if (!query || !this.#running) return;
    clearTimeout(this.#timer);
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
      this.#at = Date.now();
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
    if (!document.hidden) this.#timer = window.setTimeout(() => void this.refresh(), REFRESH_MS);
  }

  readonly #onVisible = (): void => {
    if (!document.hidden && Date.now() - this.#at > REFRESH_MS) void this.refresh();
  };
}
