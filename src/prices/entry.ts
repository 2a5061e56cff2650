/** `fiat` of `networks.json`: checked by the frame's server when it starts, and by the wallet with the first price. */
import * as z from 'zod/mini';
import { CURRENCIES } from './currencies.ts';
import type { FiatSource, PriceList } from './price-source.ts';
import { coingecko } from './sources/coingecko.ts';
import { http } from './sources/http.ts';

/** By the name that `fiat` uses. Each source gets only entries that its own schema has checked. */
const SOURCES = { coingecko, http } as unknown as Readonly<Record<string, FiatSource>>;

const Common = z.object({
  source: z.string(),
  currencies: z.optional(
    z.array(z.string().check(z.regex(/^[A-Z]{3}$/, 'must be three capital letters (ISO 4217)'))),
  ),
});

/** A source and its entry. */
export interface Fiat {
  /** The currencies to choose from, in capital letters. */
  currencies: readonly string[];
  url(currency: string): URL;
  read(currency: string, answer: unknown): PriceList;
}

/** Throws an error that names the invalid field. */
export function readFiat(entry: unknown): Fiat {
  const { source: name, currencies = CURRENCIES } = check(Common, entry);
  if (!currencies.length) throw new Error('fiat.currencies: must have at least one');
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (!source) throw new Error(`fiat.source is ${name}; there are ${Object.keys(SOURCES).join(' and ')}.`);
  const own = check(source.entry, entry);
  return {
    currencies,
    url: (currency) => source.url(own, currency),
    read: (currency, answer) => source.read(own, currency, answer),
  };
}

function check<T>(schema: z.ZodMiniType<T>, entry: unknown): T {
  const { data, error } = schema.safeParse(entry);
  if (!error) return data;
  const { path, message } = error.issues[0]!;
  throw new Error(`${['fiat', ...path].join('.')}: ${message}`);
}
