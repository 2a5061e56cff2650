/** What a source of prices for people to read is. `docs/adding-a-price-source.md` walks through one. */
import type * as z from 'zod/mini';

/** What one whole coin or token is worth. */
export interface Price {
  price: number;
  /** When it was that, in epoch milliseconds. */
  at: number;
}

/** By `priceKey`. */
export type PriceList = Readonly<Record<string, Price>>;

/** `E`: its entry as `fiat` in `networks.json`. */
export interface FiatSource<E = unknown> {
  entry: z.ZodMiniType<E>;
  /** Every price in one request, whatever the wallet holds: the source learns the currency and nothing else. */
  url(entry: E, currency: string): URL;
  /** Throws if the answer has another form. */
  read(entry: E, currency: string, answer: unknown): PriceList;
}
