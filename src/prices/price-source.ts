/** The interface of a source of prices for display. `docs/adding-a-price-source.md` walks through one. */
import * as z from 'zod/mini';

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

/** An object with any keys. Not zod's own, which every frame would download, because all of zod is in one file that loads first. */
export function record<T>(schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.unknown(),
    z.transform((value, { issues }): Record<string, T> => {
      const wrong = (message: string, path: string[] = []): void =>
        void issues.push({ code: 'custom', message, path, input: value });
      const list: Record<string, T> = {};
      if (typeof value !== 'object' || value === null) wrong('must be an object');
      else
        for (const [key, one] of Object.entries(value)) {
          const { data, error } = schema.safeParse(one);
          if (error) wrong(error.issues[0]!.message, [key, ...error.issues[0]!.path.map(String)]);
          else list[key] = data;
        }
      return list;
    }),
  );
}
