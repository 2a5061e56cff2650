/**
 * The value of coins and tokens in the user's currency, for display only: no signed amount depends on it. One request to the source that
 * `networks.json` names gets all prices; the answer is stored in this browser, so that the next view need not ask.
 */
import * as z from 'zod/mini';
import type { Amount } from '../chains/coin.ts';
import type { Network } from '../chains/network.ts';
import type { Clock } from '../base/clock.ts';
import { currencyFor } from './currencies.ts';
import { type Fiat, readFiat } from './entry.ts';
import { NO_CURRENCY } from './no-currency.ts';
import { priceKey } from './price-key.ts';
import { type PriceList, record } from './price-source.ts';

/** In the form that a page gets. */
export interface AssetPrice {
  /** The token's contract; empty for the coin, and for a coin that only pays fees: `symbol` distinguishes them. */
  tokenAddress: string;
  symbol: string;
  /** The price of one whole coin or token. */
  price: number;
  /** Time of the price, in milliseconds since 1970. */
  at: number;
}

export interface AssetPrices {
  /** ISO 4217. */
  currency: string;
  prices: AssetPrice[];
}

/** After this, an answer is requested again. */
const FRESH = 60_000;
/** Prices older than this are not shown. */
const STALE = 3_600_000;
const TIMEOUT = 8000;
/** Maximum length of an answer: some thousand prices. */
const LONGEST = 1 << 20;

/** A value with its currency and the time of the price. */
export interface Worth {
  value: number;
  currency: string;
  at: number;
}

const StoredPrices = z.object({
  version: z.literal(1),
  url: z.string(),
  /** When it was requested. */
  asked: z.number(),
  prices: record(z.object({ price: z.number(), at: z.number() })),
});
type StoredPrices = z.infer<typeof StoredPrices>;

export interface PricesOptions {
  clock: Pick<Clock, 'date'>;
  /** `fiat` of `networks.json`. */
  entry: unknown;
  /** The wallet's own storage, for the user's currency and the last answer. */
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** BCP 47; decides the currency if the user has chosen none. */
  language: string;
  fetch?: typeof fetch;
}

export class Prices {
  readonly #fiat: Fiat;
  readonly #options: PricesOptions;
  #kept: StoredPrices | undefined;
  #asking: Promise<void> | undefined;
  #tried: { url: string; at: number } | undefined;

  /** Throws if the entry is invalid. */
  constructor(options: PricesOptions) {
    this.#fiat = readFiat(options.entry);
    this.#options = options;
    this.#kept = readKept(options.storage);
  }

  get currencies(): readonly string[] {
    return this.#fiat.currencies;
  }

  /** The user's choice, or else the currency of their language; `NO_CURRENCY` for no prices. */
  get currency(): string {
    const { storage, language } = this.#options;
    const chosen = quietly(() => storage.getItem(CURRENCY_ITEM));
    if (chosen && (chosen === NO_CURRENCY || this.currencies.includes(chosen))) return chosen;
    return currencyFor(language, this.currencies);
  }

  set currency(currency: string) {
    quietly(() => this.#options.storage.setItem(CURRENCY_ITEM, currency));
  }

  /** Asks the source unless there is a fresh answer. Never rejects: without an answer, the last one is used until it is stale. */
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

  /** Undefined without a price from the last hour. */
  worth(network: Pick<Network, 'id' | 'secretType' | 'tokens'>, amount: Amount): Worth | undefined {
    const { currency } = this;
    const key = priceKey(network, amount);
    if (key === undefined || currency === NO_CURRENCY) return undefined;
    if (this.#kept?.url !== this.#fiat.url(currency).href) return undefined;
    const prices: PriceList = this.#kept.prices;
    const price = Object.hasOwn(prices, key) ? prices[key] : undefined;
    // A price from the future means that one of the clocks is wrong, so its age is unknown.
    if (!price || Math.abs(this.#options.clock.date() - price.at) > STALE) return undefined;
    return { value: (Number(amount.raw) / 10 ** amount.decimals!) * price.price, currency, at: price.at };
  }

  /** Their total value, with the time of the oldest price; undefined if one has no price. */
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

function readKept(storage: PricesOptions['storage']): StoredPrices | undefined {
  const text = quietly(() => storage.getItem(PRICES_ITEM));
  return text ? quietly(() => StoredPrices.parse(JSON.parse(text))) : undefined;
}

/** The text of an answer; undefined if it is too long, in which case reading stops. */
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

/** Undefined if storage is denied or full, or holds another version's data: prices are then requested again. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
