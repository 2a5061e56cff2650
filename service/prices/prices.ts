/** `prices` of a network in `networks.json`: for each currency, a source and what it needs to know. */
import * as z from 'zod';
import type { Network } from '../../src/chains/network.ts';
import { ConnectError, type Issue } from '../../src/base/errors.ts';
import type { PriceQuestion, PriceSource } from './price-source.ts';
import * as registry from './registry.ts';

const SOURCES: Readonly<Record<string, PriceSource>> = registry;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Every currency that has no entry of its own. */
const OTHERS = '*';

/** An entry is `{ "source": "<name>", … }`, or the address of a token. */
const Prices = z.record(
  z.string().refine((code) => code === OTHERS || CURRENCIES.has(code), {
    error: 'must be an ISO 4217 currency code in capital letters, such as USD, or * for all others',
  }),
  z.unknown().transform((entry, context): Price => {
    const source = sourceOf(entry);
    const { data, error } = source.entry.safeParse(entry);
    if (!error) return { source, entry: data };
    for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  }),
);

/** A source with its entry for one currency. */
export interface Price {
  source: PriceSource;
  entry: unknown;
}

function sourceOf(entry: unknown): PriceSource {
  const { source } = Object(entry) as { source?: unknown };
  return (typeof source === 'string' && Object.hasOwn(SOURCES, source) && SOURCES[source]) || registry.token;
}

export interface ReadPrices {
  /** By currency; empty when anything is wrong. */
  prices: ReadonlyMap<string, Price>;
  issues: Issue[];
}

function parse({ prices }: Pick<Network, 'prices'>): ReadPrices {
  const { data, error } = Prices.safeParse(prices ?? {});
  if (data) return { prices: new Map(Object.entries(data)), issues: [] };
  return {
    prices: new Map(),
    issues: error.issues.map((issue) => {
      const { message } = (issue.code === 'invalid_key' && issue.issues[0]) || issue;
      return { path: ['prices', ...issue.path].join('.'), message };
    }),
  };
}

/** What is wrong with each field, by its path; nothing when they can be used. */
export function wrongPrices(network: Network): Issue[] {
  const { prices, issues } = parse(network);
  for (const [currency, { source, entry }] of prices) {
    const message = source.problemOf(entry, network, currency === OTHERS ? undefined : currency);
    if (message) issues.push({ path: `prices.${currency}`, message });
  }
  return issues;
}

/** By currency or `*`, those whose source has what it needs now. Throws an `internal.error` that names what is wrong. */
export function readyPrices(network: Network): Map<string, Price> {
  const { prices, issues } = parse(network);
  if (issues.length > 0)
    throw new ConnectError(
      'internal.error',
      `networks.json is not valid for ${network.id} at: ${issues.map(({ path }) => path).join(', ')}`,
    );
  return new Map([...prices].filter(([, { source, entry }]) => source.isReady(entry, network)));
}

/** Where the price of a coin or token in the currency comes from. Throws as `readyPrices` does. */
export function findPrice(network: Network, token: string, currency: string): Price | undefined {
  const prices = readyPrices(network);
  const price = prices.get(currency) ?? prices.get(OTHERS);
  return price?.source.canPrice(price.entry, network, token, currency) ? price : undefined;
}

/** Smallest units of the coin or token that are worth the amount. Throws `checkout.wallet.no-price`. */
export function priceOf({ source, entry }: Price, question: PriceQuestion): Promise<bigint> {
  return source.price(entry, question);
}
