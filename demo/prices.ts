/** The demo's price sources, of the wallet and of checkout: fixed figures, the same for every network of a chain. */
import { CARDS, SECRET_TYPES, type SecretType } from '../src/chains/secret-type.ts';
import type { LocalNetwork } from './networks/local-network.ts';
import { json, type Part } from './requests.ts';

/** US dollars per coin. */
const COINS: { readonly [S in SecretType]?: number } = {
  AETERNITY: 0.031,
  BITCOIN: 64_000,
  // The same price as on the demo's exchanges and checkout: a swap must not look like a loss.
  ETHEREUM: 2000,
  GOCHAIN: 0.008,
  LITECOIN: 83.5,
  TRON: 0.16,
  VECHAIN: 0.024,
};

/** US dollars per token, by symbol. */
const TOKENS: Readonly<Record<string, number>> = { DUSD: 1, VTHO: 0.0019 };

/** Units of a currency per US dollar. */
const RATES: Readonly<Record<string, number>> = { USD: 1, EUR: 0.92, GBP: 0.79, JPY: 149, CHF: 0.88 };

const PRICES_PATH = '/prices';
const TICKERS_PATH = '/tickers';
/** As many exchanges as a price of checkout needs; here they agree. */
const EXCHANGES = ['one', 'two', 'three'];

/** As `fiat` in `networks.json`. */
export function demoFiat(url: string) {
  return { source: 'http', url: `${url}${PRICES_PATH}`, currencies: Object.keys(RATES) };
}

/** As `prices` of a network in `networks.json`: what its coin costs at checkout, in every currency. */
export function demoOracle(url: string, secretType: SecretType) {
  const { symbol } = CARDS[secretType].coin;
  const pairs = [
    `${symbol}/USD`,
    'DUSD/USD',
    ...Object.keys(RATES).flatMap((currency) => (currency === 'USD' ? [] : [`USD/${currency}`])),
  ];
  const rates = Object.fromEntries(
    pairs.map((pair) => [
      pair,
      EXCHANGES.map((name) => ({ shape: 'plain', url: `${url}${TICKERS_PATH}/${name}/${pair}` })),
    ]),
  );
  return { '*': { source: 'oracle', rates, pegs: { DUSD: 'USD' }, spread: 0.5 } };
}

/** What one of the first is in the second, one of which is USD. */
function rateOf(base: string, quote: string): number | undefined {
  const coin = SECRET_TYPES.find((secretType) => CARDS[secretType].coin.symbol === base);
  if (quote === 'USD') return (coin && COINS[coin]) ?? TOKENS[base];
  return base === 'USD' ? RATES[quote] : undefined;
}

/** A ticker in the shape `plain` of checkout's oracle. */
export function tickers(now = Date.now): Part {
  return async (path, request, response) => {
    const [, base = '', quote = ''] = new RegExp(`^${TICKERS_PATH}/\\w+/(\\w+)/(\\w+)$`).exec(path) ?? [];
    if (request.method !== 'GET' || base === '') return false;
    const price = rateOf(base, quote);
    if (price === undefined) json(response, 404, { error: 'no such pair' });
    else json(response, 200, { price, at: now() });
    return true;
  };
}

export function prices(local: Promise<readonly LocalNetwork[]>, now = Date.now): Part {
  return async (path, request, response) => {
    if (request.method !== 'GET' || path !== PRICES_PATH) return false;
    const currency = new URL(request.url!, 'http://localhost').searchParams.get('currency') ?? '';
    // The wallet asks from its own origin.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cache-Control', 'max-age=60');
    const rate = Object.hasOwn(RATES, currency) ? RATES[currency]! : undefined;
    if (rate === undefined)
      json(response, 400, { error: `currency: must be one of ${Object.keys(RATES).join(', ')}` });
    else
      json(response, 200, {
        currency,
        prices: pricesOf(
          (await local).map(({ network }) => network),
          rate,
          Math.floor(now() / 1000),
        ),
      });
    return true;
  };
}

function pricesOf(networks: readonly LocalNetwork['network'][], rate: number, at: number) {
  const list: Record<string, { price: number; at: number }> = {};
  for (const { id, secretType, tokens } of networks) {
    const price = COINS[secretType];
    if (price !== undefined) list[id] = { price: price * rate, at };
    if (secretType === 'VECHAIN') list[`${id}/VTHO`] = { price: TOKENS['VTHO']! * rate, at };
    for (const { address, symbol } of tokens)
      if (Object.hasOwn(TOKENS, symbol)) list[`${id}/${address}`] = { price: TOKENS[symbol]! * rate, at };
  }
  return list;
}
