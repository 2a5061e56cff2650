/** The source `coingecko`: `/simple/price` of CoinGecko's public API, https://docs.coingecko.com/reference/simple-price. */
import * as z from 'zod/mini';
import { plainKey } from '../price-key.ts';
import { type FiatSource, type PriceList, record } from '../price-source.ts';

const PUBLIC = 'https://api.coingecko.com/api/v3';

const entry = z.object({
  source: z.literal('coingecko'),
  /** The URL of a proxy that adds a key: a key in this file would be public. */
  url: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^https?:\/\/[^\s?#]+[^/\s?#]$/,
          'must be an http or https URL without ?, # and a last slash',
        ),
      ),
  ),
  /** CoinGecko's id by price key: `{ "ethereum": "ethereum", "vechain/VTHO": "vethor-token" }`. */
  ids: record(z.string().check(z.regex(/^[\w.-]+$/, 'must be an id of CoinGecko'))),
  currencies: z.optional(z.array(z.string())),
});

const Answer = record(record(z.nullable(z.number())));

export const coingecko = {
  entry,
  url({ url = PUBLIC, ids }, currency) {
    const request = new URL(`${url}/simple/price`);
    request.search = String(
      new URLSearchParams({
        ids: [...new Set(Object.values(ids))].sort().join(),
        vs_currencies: currency.toLowerCase(),
        include_last_updated_at: 'true',
        precision: 'full',
      }),
    );
    return request;
  },
  read({ ids }, currency, answer) {
    const byId = Answer.parse(answer);
    const list: Record<string, PriceList[string]> = {};
    for (const [key, id] of Object.entries(ids)) {
      const coin = Object.hasOwn(byId, id) ? byId[id] : undefined;
      const [price, at] = [coin?.[currency.toLowerCase()], coin?.['last_updated_at']];
      if (price && price > 0 && at) list[plainKey(key)] = { price, at: at * 1000 };
    }
    return list;
  },
} satisfies FiatSource<z.infer<typeof entry>>;
