/**
 * What coins and tokens are worth in the user's currency, for the eye only: no amount that is signed comes from here. One request to the
 * source that `networks.json` names, for all prices at once; this browser keeps the answer, so that the next view need not ask.
 */
import * as z from 'zod/mini';
import type { Amount } from '../chains/chain.ts';
import type { Network } from '../chains/network.ts';
import type { Clock } from '../clock.ts';
import { currencyFor } from './currencies.ts';
import { type Fiat, readFiat } from './entry.ts';
import { NO_CURRENCY } from './no-currency.ts';
import { priceKey } from './price-key.ts';
import type { PriceList } from './price-source.ts';
import { record } from './record.ts';

/** An answer is asked for again after this. */
const FRESH = 60_000;
/** No price is shown after this. */
const STALE = 3_600_000;
const TIMEOUT = 8000;
/** Of an answer: some thousand prices. */
const LONGEST = 1 << 20;

/** A value with its currency, and when the price was that. */
export interface Worth {
  value: number;
  currency: string;
  at: number;
}

const Kept = z.object({
  version: z.literal(1),
  url: z.string(),
  /** When it was asked for. */
  asked: z.number(),
  prices: record(z.object({ price: z.number(), at: z.number() })),
});
type Kept = z.infer<typeof Kept>;

export interface PricesOptions {
  clock: Pick<Clock, 'date'>;
  /** `fiat` of `networks.json`. */
  entry: unknown;
  /** The wallet's own: the user's currency and the last answer. */
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** BCP 47, for those who have chosen no currency. */
  language: string;
  fetch?: typeof fetch;
}

export class Prices {
  readonly #fiat: Fiat;
  readonly #options: PricesOptions;
  #kept: Kept | undefined;
  #asking: Promise<void> | undefined;
  #tried: { url: string; at: number } | undefined;

  /** Throws if the entry is not valid. */
  constructor(options: PricesOptions) {
    this.#fiat = readFiat(options.entry);
    this.#options = options;
    this.#kept = readKept(options.storage);
  }

  get currencies(): readonly string[] {
    return this.#fiat.currencies;
  }

  /** The user's choice, else that of their language; `NO_CURRENCY` for none. */
  get currency(): string {
    const { storage, language } = this.#options;
    const chosen = quietly(() => storage.getItem(CURRENCY_ITEM));
    if (chosen && (chosen === NO_CURRENCY || this.currencies.includes(chosen))) return chosen;
    return currencyFor(language, this.currencies);
  }

  set currency(currency: string) {
    quietly(() => this.#options.storage.setItem(CURRENCY_ITEM, currency));
  }

  /** Asks the source unless there is a fresh answer. Never rejects: without an answer the last one stands until it is stale. */
  async load(): Promise<void> {
    const { currency } = this;
    if (currency === NO_CURRENCY) return;
    const url = this.#fiat.url(currency);
    const now = this.#options.clock.date();
    const isFresh = (at: number): boolean => now >= at && now - at < FRESH;
    if (this.#kept?.url === url.href && isFresh(this.#kept.asked)) return;
    if (this.#tried?.url === url.href && isFresh(this.#tried.at)) return this.#asking;
    this.#tried = { url: url.href, at: now };
    this.#asking = this.#ask(url, currency, now).catch(() => {});
    return this.#asking;
  }

  async #ask(url: URL, currency: string, asked: number): Promise<void> {
    const response = await (this.#options.fetch ?? fetch)(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const text = response.ok ? await bounded(response) : undefined;
    if (text === undefined) return;
    const prices = this.#fiat.read(currency, JSON.parse(text));
    // The user may have chosen another currency meanwhile.
    if (currency !== this.currency) return;
    this.#kept = { version: 1, url: url.href, asked, prices };
    quietly(() => this.#options.storage.setItem(PRICES_ITEM, JSON.stringify(this.#kept)));
  }

  /** Undefined for what has no price, or none from the last hour. */
  worth(network: Pick<Network, 'id' | 'secretType' | 'tokens'>, amount: Amount): Worth | undefined {
    const { currency } = this;
    const key = priceKey(network, amount);
    if (key === undefined || currency === NO_CURRENCY) return undefined;
    if (this.#kept?.url !== this.#fiat.url(currency).href) return undefined;
    const prices: PriceList = this.#kept.prices;
    const found = Object.hasOwn(prices, key) ? prices[key] : undefined;
    // A price from the future is a clock that is wrong, here or there: its age is not known.
    if (!found || Math.abs(this.#options.clock.date() - found.at) > STALE) return undefined;
    return { value: (Number(amount.raw) / 10 ** amount.decimals!) * found.price, currency, at: found.at };
  }

  /** Of all of them together, as old as the oldest; undefined if one has no price. */
  sum(network: Pick<Network, 'id' | 'secretType' | 'tokens'>, amounts: readonly Amount[]): Worth | undefined {
    let sum: Worth | undefined;
    for (const amount of amounts) {
      const worth = this.worth(network, amount);
      if (!worth) return undefined;
      sum = sum ? { ...worth, value: sum.value + worth.value, at: Math.min(sum.at, worth.at) } : worth;
    }
    return sum;
  }
}

const CURRENCY_ITEM = 'carabiner:currency';
const PRICES_ITEM = 'carabiner:prices';

function readKept(storage: PricesOptions['storage']): Kept | undefined {
  const text = quietly(() => storage.getItem(PRICES_ITEM));
  return text ? quietly(() => Kept.parse(JSON.parse(text))) : undefined;
}

/** Undefined for an answer that is too long: no more of it is read. */
async function bounded(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > LONGEST) {
      await reader.cancel();
      return undefined;
    }
  }
}

/** Storage may be denied or full, and what is kept may be an older version's: then it is asked for again. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
