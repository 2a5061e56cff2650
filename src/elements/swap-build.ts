/** From the press of Review to a swap that the wallet can be asked for: waits for the rate, builds it, and keeps it good. No rendering. */
import type { ExchangeRate } from '../api/swap.ts';
import type { ConnectError } from '../errors.ts';
import { msg } from '../ui/localize.ts';
import { ignore } from './connect-element.ts';
import { type Field, otherAmount, type SwapFields } from './swap-fields.ts';
import type * as Outcome from './swap-outcome.ts';
import type { Problem } from './swap-problem.ts';
import type { Review } from './swap-review.ts';
import type { SwapSource } from './swap-source.ts';

/** A swap is built again before its deadline, 20 minutes, comes near. */
const REBUILD_MS = 4 * 60_000;

export interface BuildListener {
  /** Loads what comes after the form. */
  load(): Promise<typeof Outcome>;
  /** To correct before anything can be built. */
  wrong(field: Field): void;
  /** Reads out. */
  say(text: string): void;
}

export class SwapBuild {
  /** What was built, for a last look. */
  review: Review | undefined;
  /** What went wrong, in the form. */
  problem: Problem | undefined;
  #building = false;
  /** Review was pressed with these fields, before there was a rate. */
  #waiting: readonly unknown[] | undefined;
  /** The build that was started. */
  #started: Review | undefined;

  constructor(
    private readonly source: SwapSource,
    private readonly on: BuildListener,
  ) {}

  get busy(): boolean {
    return this.#building || this.#waiting !== undefined;
  }

  /** Review was pressed: without a rate it is waited for, and asked for where nobody did. */
  press(): void {
    const { host, fields, rate, watch, unreachable } = this.source;
    if (this.busy) return;
    if (rate) return void this.build(rate);
    this.problem = undefined;
    const wrong = fields.check(rate);
    host.requestUpdate();
    if (wrong) return this.on.wrong(wrong);
    this.#waiting = question(fields);
    this.on.say(msg('Asking the exchanges…'));
    if (unreachable) this.source.loadPairs(fields.wallet!);
    else if (!watch.busy) void watch.refresh();
  }

  /** Before each update: goes on with the rate that was waited for, or with what is to be said instead. */
  follow(): void {
    if (!this.#waiting) return;
    const { fields, rate, watch, unreachable } = this.source;
    const now = question(fields);
    const isSame = this.#waiting.every((part, i) => part === undefined || part === now[i]);
    if (isSame && !rate && (watch.busy || (!fields.pairs && !unreachable))) return;
    this.#waiting = undefined;
    // What was entered since is not what Review was pressed for.
    if (!isSame) return;
    if (rate) void this.build(rate);
    else this.on.say(msg('There is no rate for it.'));
  }

  /** Builds the swap ahead of the press that opens the wallet, because browsers open a window in the press alone. */
  async build(rate: ExchangeRate): Promise<void> {
    const { host, fields } = this.source;
    if (this.#building) return;
    this.problem = undefined;
    const wrong = fields.check(rate);
    host.requestUpdate();
    if (wrong) return this.on.wrong(wrong);
    this.#building = true;
    const body = fields.body(rate);
    try {
      const [requests] = await Promise.all([host.current.createSwap(body), this.on.load()]);
      this.review = {
        rate,
        isBest: rate.exchange === this.source.best?.exchange,
        body,
        requests,
        at: Date.now(),
        from: fields.asset('from')!,
        to: fields.asset('to')!,
        wallet: fields.wallet!,
        destination: fields.destination,
        limit: fields.limit(rate),
      };
    } catch (error) {
      await this.#notBuilt(error as ConnectError);
    } finally {
      this.#building = false;
      host.requestUpdate();
    }
  }

  async #notBuilt(error: ConnectError): Promise<void> {
    const { fields, watch } = this.source;
    // What is on screen is out of date.
    void watch.refresh();
    if (error.details?.['reason'] === 'moved' && this.review) return;
    this.review = undefined;
    const outcome = await this.on.load().catch(ignore);
    if (error.code === 'transaction.insufficient-funds')
      fields.errors.set('from', msg('There is not enough in this wallet.'));
    else
      this.problem = outcome?.problemOf(error) ?? {
        look: 'danger',
        title: msg('The swap could not be prepared'),
      };
  }

  /** Compares what was built with what its exchange offers by now. */
  onRates(): void {
    const it = this.review;
    if (!it) return;
    const now = this.source.watch.rates?.exchangeRates.find(({ exchange }) => exchange === it.rate.exchange);
    if (isBeyond(it, now)) it.moved = now ?? null;
    else {
      it.moved = undefined;
      if (Date.now() - it.at > REBUILD_MS) void this.build(it.rate);
    }
  }

  /** What the wallet is opened with; nothing while that would be wrong. */
  take(): Review | undefined {
    const it = this.review;
    if (!it || it.moved !== undefined || this.busy) return undefined;
    this.#started = it;
    this.review = undefined;
    return it;
  }

  /** Nothing of it was sent. Answers whether there is something to come back to. */
  restore(): boolean {
    this.review = this.#started;
    return this.review !== undefined;
  }
}

/** `to` may come with the pairs. */
const question = ({ value, orderType, from, to, wallet }: SwapFields): unknown[] => [
  value,
  orderType,
  from,
  to,
  wallet?.id,
];

/** Whether what the exchange offers now is worse than what was built allows. */
function isBeyond({ limit, rate: { orderType } }: Review, now: ExchangeRate | undefined): boolean {
  if (!now) return true;
  const { raw } = otherAmount(now);
  return orderType === 'SELL' ? raw < limit : raw > limit;
}
