/** Tickers: what an exchange says that one coin costs in another, or in a currency. Each shape of answer is a maker in `SHAPES`. */
import * as z from 'zod';
import { type Clock, inTime } from '../../src/base/clock.ts';
import { boundedText } from '../../src/chains/nodes/http.ts';

/** Digits after the point of every price here, which is a whole number of these. */
export const PRICE_DIGITS = 24;
export const ONE = 10n ** BigInt(PRICE_DIGITS);

/** For the whole answer. */
const TIMEOUT_MS = 4000;
const MAX_BYTES = 65_536;
/** An answer is used again for so long: exchanges limit how often they are asked. */
const REUSED_MS = 5000;

export interface Ticker {
  /** Of the source. */
  host: string;
  /** Above 0. */
  price: bigint;
  /** When it was the price, in epoch milliseconds; the time of the answer if that does not say. */
  at: number;
}

type Quoted = Pick<Ticker, 'price'> & { at?: number };

/** A decimal number above 0, as text or a number of JSON, without rounding. */
function priceIn(value: unknown): bigint {
  const [, whole = '', part = '', exponent = '0'] =
    /^(\d{1,30})(?:\.(\d{1,60}))?(?:e([+-]?\d{1,2}))?$/i.exec(String(value)) ?? [];
  const shift = PRICE_DIGITS - part.length + Number(exponent);
  const digits = BigInt(whole + part || '0');
  const price = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  if (price > 0n) return price;
  throw new Error('it has no price');
}

function timeIn(value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof at === 'number' && Number.isFinite(at)) return at;
  throw new Error('it has no time');
}

const KrakenAnswer = z.object({
  result: z.record(
    z.string(),
    z.object({ a: z.tuple([z.string()], z.unknown()), b: z.tuple([z.string()], z.unknown()) }),
  ),
});
const CoinbaseAnswer = z.object({ price: z.string(), time: z.string() });
const PlainAnswer = z.object({ price: z.union([z.string(), z.number()]), at: z.number() });

/** Reads the answer of a URL. Throws an error if it has another form. */
const SHAPES = {
  /** `/0/public/Ticker?pair=TRXUSD` of Kraken: the middle of what is asked and bid now. */
  kraken(answer: unknown): Quoted {
    const [pair, ...others] = Object.values(KrakenAnswer.parse(answer).result);
    if (!pair || others.length > 0) throw new Error('it has not exactly one pair');
    return { price: (priceIn(pair.a[0]) + priceIn(pair.b[0])) / 2n };
  },
  /** `/products/TRX-USD/ticker` of Coinbase: the last trade. */
  coinbase(answer: unknown): Quoted {
    const { price, time } = CoinbaseAnswer.parse(answer);
    return { price: priceIn(price), at: timeIn(time) };
  },
  /** `{ "price": "0.31", "at": 1795432200000 }`: of a server of one's own before any other exchange, and of the demo. */
  plain(answer: unknown): Quoted {
    const { price, at } = PlainAnswer.parse(answer);
    return { price: priceIn(price), at: timeIn(at) };
  },
} satisfies Record<string, (answer: unknown) => Quoted>;

export const TickerEntry = z.strictObject({
  shape: z.enum(Object.keys(SHAPES) as [keyof typeof SHAPES, ...(keyof typeof SHAPES)[]]),
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
});
export type TickerEntry = z.infer<typeof TickerEntry>;

export interface TickerOptions {
  clock: Clock;
  fetch: typeof fetch;
}

/** Reads tickers, each at most once in `REUSED_MS`. */
export class Tickers {
  readonly #options: TickerOptions;
  readonly #answers = new Map<string, { until: number; ticker: Promise<Ticker> }>();

  constructor(options: TickerOptions) {
    this.#options = options;
  }

  /** Throws an error that says what is wrong with the answer; a failure is not kept. */
  read(entry: TickerEntry): Promise<Ticker> {
    const { clock } = this.#options;
    const last = this.#answers.get(entry.url);
    if (last && clock.now() < last.until) return last.ticker;
    const ticker = this.#ask(entry);
    this.#answers.set(entry.url, { until: clock.now() + REUSED_MS, ticker });
    ticker.catch(() => {
      if (this.#answers.get(entry.url)?.ticker === ticker) this.#answers.delete(entry.url);
    });
    return ticker;
  }

  async #ask({ shape, url }: TickerEntry): Promise<Ticker> {
    const { clock, fetch } = this.#options;
    const text = await inTime(clock, TIMEOUT_MS, async (signal) => {
      const response = await fetch(url, {
        signal,
        redirect: 'error',
        headers: { accept: 'application/json' },
      });
      if (!response.ok) throw new Error(`it answered HTTP ${response.status}`);
      return boundedText(response, MAX_BYTES);
    });
    const { price, at = clock.date() } = SHAPES[shape](JSON.parse(text));
    return { host: new URL(url).host, price, at };
  }
}
