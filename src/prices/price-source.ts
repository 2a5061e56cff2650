/** The interface of a source of prices for display. `docs/adding-a-price-source.md` walks through one. */
import type * as z from 'zod/mini';

/** The price of one whole coin or token. */
export interface Price {
  price: number;
  /** The time of the price, in epoch milliseconds. */
  at: number;
}

/** Prices by `priceKey`. */
export type PriceList = Readonly<Record<string, Price>>;

/** `E`: its entry, `fiat` in `networks.json`. */
export interface FiatSource<E = unknown> {
  entry: z.ZodMiniType<E>;
  /** Requests every price at once, whatever the wallet holds: the source learns only the currency. */
  url(entry: E, currency: string): URL;
  /** Throws if the answer has another format. */
  read(entry: E, currency: string, answer: unknown): PriceList;
}
