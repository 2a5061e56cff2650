/** Keeps the rates of a question fresh while somebody looks at them. */
import type { SwapQuery } from '../actions/types.ts';
import type { ExchangeRates } from '../api/swap.ts';
import type { ConnectError } from '../errors.ts';
import type { SwapPanel } from './swap-panel.ts';

/** While an amount is typed, nobody is asked. */
const TYPING_MS = 300;
const REFRESH_MS = 15_000;
/** Steps in which the age is shown. */
const TICK_MS = 5_000;

export class RateWatch {
  /** Of the question that `follow` was given last, unless `stale`. */
  rates: ExchangeRates | undefined;
  /** The rates are those of a question before. */
  stale = false;
  busy = false;
  /** Why the last try failed. */
  error: ConnectError | undefined;
  #query: SwapQuery | undefined;
  #key = '';
  #at = 0;
  #sequence = 0;
  #timer = 0;
  #ticker = 0;
  #running = false;

  constructor(
    private readonly host: SwapPanel,
    /** For each answer; `first`: to this question. */
    private readonly onRates: (first: boolean) => void,
  ) {}

  /** Whole seconds, in steps. */
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

  /** Before each update: a changed query is asked again. */
  follow(query: SwapQuery | undefined): void {
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
      // An old rate is shown with its age, but never for another query.
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
