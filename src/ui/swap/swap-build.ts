/** From Review to a swap that is ready for the wallet: waits for a rate, builds the swap, and keeps it valid. No rendering. */
import type { CreateSwap, ExchangeRate } from '../../api/swap.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { NativeTransaction } from '../../chains/requests.ts';
import type { Asset } from '../assets.ts';
import { type Field, otherAmount, type SwapFields } from './swap-fields.ts';
import type { Problem } from './swap-problem.ts';
import type { SwapSource } from './swap-source.ts';

/** A swap is rebuilt at this age, well before its deadline of 20 minutes. */
const REBUILD_MS = 4 * 60_000;

/** A built swap, until the wallet is opened with it. */
export interface Review {
  rate: ExchangeRate;
  isBest: boolean;
  body: CreateSwap;
  requests: NativeTransaction[];
  /** When the requests were built. */
  at: number;
  from: Asset;
  to: Asset;
  wallet: Wallet;
  destination: Wallet | undefined;
  /** The worst acceptable amount of the other side. */
  limit: bigint;
  /** The same exchange's current rate, once it is worse than the limit; null if it no longer has one. */
  moved?: ExchangeRate | null | undefined;
}

export interface BuildListener {
  /** Loads what follows the form. */
  load(): Promise<unknown>;
  /** Called with the first field that has to be corrected. */
  wrong(field: Field): void;
  /** Announces `text` to screen readers. */
  say(text: string): void;
}

export class SwapBuild {
  /** The built swap, for review. */
  review: Review | undefined;
  /** What went wrong, shown in the form. */
  problem: Problem | undefined;
  #building = false;
  /** The fields with which Review was pressed before there was a rate. */
  #waiting: readonly unknown[] | undefined;
  /** The swap that the wallet was opened with. */
  #started: Review | undefined;

  constructor(
    private readonly source: SwapSource,
    private readonly on: BuildListener,
  ) {}

  get busy(): boolean {
    return this.#building || this.#waiting !== undefined;
  }

  /** Review was pressed. Without a rate, waits for one, and requests it if no request is under way. */
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

  /** Before each update: continues with the awaited rate, or announces that there is none. */
  follow(): void {
    if (!this.#waiting) return;
    const { fields, rate, watch, unreachable } = this.source;
    const now = question(fields);
    const isSame = this.#waiting.every((part, i) => part === undefined || part === now[i]);
    if (isSame && !rate && (watch.busy || (!fields.pairs && !unreachable))) return;
    this.#waiting = undefined;
    // The fields have changed since Review was pressed.
    if (!isSame) return;
    if (rate) void this.build(rate);
    else this.on.say(msg('There is no rate for this swap.'));
  }

  /** Builds the swap before the press that opens the wallet, because browsers open a window only within that press. */
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
        at: this.source.watch.date(),
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
    // The rates on screen are out of date.
    void watch.refresh();
    if (error.details?.['reason'] === 'moved' && this.review) return;
    this.review = undefined;
    const { problemOf } = (await import('./swap-problem.ts').catch(() => undefined)) ?? {};
    if (error.code === 'transaction.insufficient-funds')
      fields.errors.set('from', msg('Not enough funds in this wallet.'));
    else
      this.problem = problemOf?.(error) ?? {
        look: 'danger',
        title: msg('The swap could not be prepared'),
      };
  }

  /** Compares the built swap with its exchange's current rate. */
  onRates(): void {
    const it = this.review;
    if (!it) return;
    const now = this.source.watch.rates?.exchangeRates.find(({ exchange }) => exchange === it.rate.exchange);
    if (isBeyond(it, now)) it.moved = now ?? null;
    else {
      it.moved = undefined;
      if (this.source.watch.date() - it.at > REBUILD_MS) void this.build(it.rate);
    }
  }

  /** The swap to open the wallet with; undefined if there is none, its price has moved, or it is being rebuilt. */
  take(): Review | undefined {
    const it = this.review;
    if (!it || it.moved !== undefined || this.busy) return undefined;
    this.#started = it;
    this.review = undefined;
    return it;
  }

  /** Nothing of it was sent. Returns whether there is a review to go back to. */
  restore(): boolean {
    this.review = this.#started;
    return this.review !== undefined;
  }
}

/** The fields that identify the swap. `to` may be set only once the pairs are loaded. */
const question = ({ value, orderType, from, to, wallet, network }: SwapFields): unknown[] => [
  value,
  orderType,
  from,
  to,
  wallet?.id,
  network,
];

/** Whether the exchange's current rate is worse than the limit of the built swap. */
function isBeyond({ limit, rate: { orderType } }: Review, now: ExchangeRate | undefined): boolean {
  if (!now) return true;
  const { raw } = otherAmount(now);
  return orderType === 'SELL' ? raw < limit : raw > limit;
}
