/** The source `http`: a URL of the operator's own, which answers `?currency=EUR` as `docs/networks.md` describes. */
import * as z from 'zod/mini';
import { plainKey } from '../price-key.ts';
import { type FiatSource, record } from '../price-source.ts';

const entry = z.object({
  source: z.literal('http'),
  url: z.string().check(z.regex(/^https?:\/\/[^\s?#]+$/, 'must be an http or https URL without ? and #')),
  currencies: z.optional(z.array(z.string())),
});

const Answer = z.object({
  currency: z.string(),
  prices: record(z.object({ price: z.number().check(z.gt(0)), at: z.int() })),
});

export const http = {
  entry,
  url({ url }, currency) {
    return new URL(`${url}?currency=${currency}`);
  },
  read(_, currency, answer) {
    const { currency: answered, prices } = Answer.parse(answer);
    if (answered !== currency) throw new Error(`currency: is ${answered}, and ${currency} was asked for`);
    return Object.fromEntries(
      Object.entries(prices).map(([key, { price, at }]) => [plainKey(key), { price, at: at * 1000 }]),
    );
  },
} satisfies FiatSource<z.infer<typeof entry>>;
