/** `prices` of a network in `networks.json`: which of its tokens stands for one unit of a currency. */
import * as z from 'zod';
import { isAddress } from '../../../src/chains/contracts/evm-address.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import type { Network, Token } from '../../../src/chains/network.ts';
import { ConnectError, type Issue } from '../../../src/errors.ts';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const Prices = z.record(
  z.string().refine((code) => CURRENCIES.has(code), {
    error: 'must be an ISO 4217 currency code in capital letters, such as USD',
  }),
  z.string().refine(isAddress, { error: 'must be the address of a token: 0x and 40 hex digits' }),
);

/** What is wrong with each field, by its path: nothing where they can be used. */
export function readPrices({
  prices,
  tokens,
  tokenLists,
}: Pick<Network, 'prices' | 'tokens' | 'tokenLists'>): {
  prices: ReadonlyMap<string, string>;
  issues: Issue[];
} {
  const { data, error } = Prices.safeParse(prices ?? {});
  if (!data)
    return {
      prices: new Map(),
      issues: error.issues.map((issue) => {
        const { message } = (issue.code === 'invalid_key' && issue.issues[0]) || issue;
        return { path: ['prices', ...issue.path].join('.'), message };
      }),
    };
  const entries = Object.entries(data);
  // A list on the web is not there yet when the file is read.
  const unlisted = tokenLists?.length ? [] : entries.filter(([, address]) => !listedToken(tokens, address));
  return {
    prices: new Map(entries),
    issues: unlisted.map(([currency]) => ({
      path: `prices.${currency}`,
      message: 'must be a token that the network lists: its decimals are needed',
    })),
  };
}

/** By currency; tokens that are not listed are left out. Throws `internal.error` that names what is wrong. */
export function priceTokens(network: Network): Map<string, Token> {
  const { prices, issues } = readPrices({ ...network, tokenLists: ['checked when the file was read'] });
  if (issues.length > 0)
    throw new ConnectError(
      'internal.error',
      `networks.json is not valid for ${network.id} at: ${issues.map(({ path }) => path).join(', ')}`,
    );
  return new Map(
    [...prices].flatMap(([currency, address]) => {
      const token = listedToken(network.tokens, address);
      return token ? [[currency, token] as const] : [];
    }),
  );
}
