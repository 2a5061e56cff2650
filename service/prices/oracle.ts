/**
 * The source `oracle`: rates between coins, stablecoins and currencies, each the median of several exchanges' tickers, and conversion through
 * as many of them as it takes. Whenever the exchanges disagree, or too few answer, there is no price.
 */
import * as z from 'zod';
import { currencyDigits } from '../../src/api/currency.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { listedToken } from '../../src/chains/contracts/listed-token.ts';
import type { Network } from '../../src/chains/network.ts';
import { coinOf } from '../../src/chains/secret-type.ts';
import { noPrice } from './no-price.ts';
import type { PriceQuestion, PriceSource } from './price-source.ts';
import { ONE, PRICE_DIGITS, type Ticker, TickerEntry, type TickerOptions, Tickers } from './tickers.ts';

/** Tickers that a rate needs. */
const LEAST_TICKERS = 3;
/** Older ones do not count, nor do those from the future. */
const MAX_AGE_MS = 60_000;
/** How far each may be from the median, and a stablecoin from its currency, in hundredths of a percent. */
const MAX_DEVIATION = 200n;
const MAX_DEPEG = 100n;
const WHOLE = 10_000n;
/** Rates that a price is made of at most: coin to dollar, dollar to currency. */
const MAX_STEPS = 3;

const SYMBOL = /^[^\s/]{1,20}$/;
const PAIR = /^[^\s/]{1,20}\/[^\s/]{1,20}$/;

/** The exchanges of one rate. */
export const TickerEntries = z
  .array(TickerEntry)
  .min(LEAST_TICKERS, `must have at least ${LEAST_TICKERS} tickers`)
  .max(20)
  .refine((tickers) => new Set(tickers.map(({ url }) => url)).size === tickers.length, {
    error: 'must have each URL only once',
  });

const entry = z
  .strictObject({
    source: z.literal('oracle'),
    /** By pair: `TRX/USD` is what one TRX costs in USD. */
    rates: z.record(z.string().regex(PAIR, 'must be two symbols, such as TRX/USD'), TickerEntries),
    /** Stablecoins that count as exactly one unit of a currency, while the rate of that pair agrees: `{ "USDT": "USD" }`. */
    pegs: z.record(z.string().regex(SYMBOL), z.string()).default({}),
    /** Percent on top of the price, for what it may change by before the payment is sold. */
    spread: z.number().min(0).max(10).multipleOf(0.01).default(0),
  })
  .superRefine(({ rates, pegs }, context) => {
    for (const [symbol, currency] of Object.entries(pegs))
      if (!Object.hasOwn(rates, `${symbol}/${currency}`))
        context.addIssue({
          code: 'custom',
          path: ['pegs', symbol],
          message: `must have a rate ${symbol}/${currency}, which shows whether it still holds`,
        });
  });
type Entry = z.infer<typeof entry>;

/** One rate on the way from a coin to a currency. `inverse`: it is quoted the other way round. */
interface Step {
  pair: string;
  to: string;
  inverse: boolean;
  pegged: boolean;
}

function stepsFrom({ rates, pegs }: Entry, symbol: string): Step[] {
  return Object.keys(rates).flatMap((pair): Step[] => {
    const [base, quote] = pair.split('/') as [string, string];
    const pegged = pegs[base] === quote;
    if (base === symbol) return [{ pair, to: quote, inverse: false, pegged }];
    return quote === symbol ? [{ pair, to: base, inverse: true, pegged }] : [];
  });
}

/** The shortest way of at least one step, whatever a token calls itself; `isEnd` says where it may end. Undefined if there is none. */
function wayFrom(from: Entry, symbol: string, isEnd: (symbol: string) => boolean): Step[] | undefined {
  let ways: { at: string; steps: Step[] }[] = [{ at: symbol, steps: [] }];
  const seen = new Set([symbol]);
  for (let length = 1; length <= MAX_STEPS; length++) {
    ways = ways.flatMap(({ at, steps }) =>
      stepsFrom(from, at).flatMap((step) => {
        if (seen.has(step.to)) return [];
        seen.add(step.to);
        return [{ at: step.to, steps: [...steps, step] }];
      }),
    );
    const end = ways.find(({ at }) => isEnd(at));
    if (end) return end.steps;
  }
  return undefined;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function hasWay(from: Entry, symbol: string, currency: string | undefined): boolean {
  const isEnd = (at: string) => (currency === undefined ? CURRENCIES.has(at) : at === currency);
  return wayFrom(from, symbol, isEnd) !== undefined;
}

/** Undefined for a token that is not listed. */
function symbolOf(network: Network, token: string): string | undefined {
  return (token === '' ? coinOf(network) : listedToken(network.tokens, token))?.symbol;
}

interface Rate {
  pair: string;
  median: bigint;
  tickers: Ticker[];
}

export class Oracle {
  readonly #options: TickerOptions;
  readonly #tickers: Tickers;

  constructor(options: TickerOptions = { clock: systemClock, fetch: (...call) => fetch(...call) }) {
    this.#options = options;
    this.#tickers = new Tickers(options);
  }

  /** Throws `checkout.wallet.no-price`. */
  async rate(pair: string, entries: readonly TickerEntry[]): Promise<Rate> {
    const answers = await Promise.allSettled(entries.map((each) => this.#tickers.read(each)));
    const now = this.#options.clock.date();
    const tickers = answers
      .flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      .filter(({ at }) => Math.abs(now - at) <= MAX_AGE_MS);
    if (tickers.length < LEAST_TICKERS)
      throw missing(pair, `${tickers.length} of ${entries.length} exchanges have a fresh one`, 'unreachable');
    const prices = tickers.map(({ price }) => price).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const middle = prices.length >> 1;
    const median = prices.length % 2 ? prices[middle]! : (prices[middle - 1]! + prices[middle]!) / 2n;
    if (prices.some((price) => isApart(price, median, MAX_DEVIATION)))
      throw missing(pair, 'the exchanges disagree', 'none');
    return { pair, median, tickers };
  }

  /** Smallest units that are worth the amount. Throws `checkout.wallet.no-price`. */
  async price(from: Entry, question: PriceQuestion): Promise<bigint> {
    const { network, token, decimals, currency, minorUnits, note } = question;
    const symbol = symbolOf(network, token);
    const steps = symbol === undefined ? undefined : wayFrom(from, symbol, (at) => at === currency);
    if (!steps) throw missing(`${symbol}/${currency}`, 'no rates lead there', 'none');
    const rates = await Promise.all(steps.map(({ pair }) => this.rate(pair, from.rates[pair]!)));
    let worth = ONE;
    let units = ONE;
    for (const [i, { inverse, pegged }] of steps.entries()) {
      const { median } = rates[i]!;
      if (pegged) requirePeg(rates[i]!, MAX_DEPEG);
      const rate = pegged ? ONE : median;
      worth *= inverse ? ONE : rate;
      units *= inverse ? rate : ONE;
    }
    note?.({
      source: 'oracle',
      spread: from.spread,
      rates: rates.map((rate, i) => basisOf(rate, steps[i]!.pegged)),
    });
    const spread = BigInt(Math.round(from.spread * 100));
    const dividend = minorUnits * 10n ** BigInt(decimals) * units * (WHOLE + spread);
    const divisor = 10n ** BigInt(currencyDigits(currency)) * worth * WHOLE;
    return (dividend + divisor - 1n) / divisor;
  }
}

/** `most` in hundredths of a percent. Throws `checkout.wallet.no-price`. */
export function requirePeg({ pair, median }: Rate, most: bigint): void {
  if (isApart(median, ONE, most)) throw missing(pair, 'it is off its peg', 'none');
}

/** As `PriceBasis` keeps a rate. */
export function basisOf({ pair, median, tickers }: Rate, pegged: boolean) {
  return {
    pair,
    rate: decimal(pegged ? ONE : median),
    tickers: tickers.map(({ host, price, at }) => ({ host, price: decimal(price), at })),
  };
}

function isApart(one: bigint, other: bigint, most: bigint): boolean {
  const apart = one > other ? one - other : other - one;
  return apart * WHOLE > other * most;
}

function missing(pair: string, why: string, reason: 'none' | 'unreachable'): ConnectError {
  return noPrice(
    reason,
    `There is no price of ${pair} at the moment: ${why}. Pay in another way, or try again later.`,
  );
}

function decimal(price: bigint): string {
  const digits = String(price).padStart(PRICE_DIGITS + 1, '0');
  return `${digits.slice(0, -PRICE_DIGITS)}.${digits.slice(-PRICE_DIGITS)}`.replace(/\.?0+$/, '');
}

function canPrice(from: Entry, network: Network, token: string, currency?: string): boolean {
  const symbol = symbolOf(network, token);
  return symbol !== undefined && hasWay(from, symbol, currency);
}

export const live = new Oracle();

export const oracle = {
  entry,
  problemOf(from, network, currency) {
    const assets = ['', ...network.tokens.map(({ address }) => address)];
    // A list on the web has not been read yet when the file is.
    return network.tokenLists?.length || assets.some((token) => canPrice(from, network, token, currency))
      ? undefined
      : `must have rates that lead from ${coinOf(network).symbol} or a listed token to ${currency ?? 'a currency'}`;
  },
  isReady: () => true,
  canPrice,
  price: (from, question) => live.price(from, question),
} satisfies PriceSource<Entry>;
