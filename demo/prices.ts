/** The demo's price source, in the format of the source `http`: fixed figures, the same for every network of a chain. */
import type { SecretType } from '../src/chains/secret-type.ts';
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

/** As `fiat` in `networks.json`. */
export function demoFiat(url: string) {
  return { source: 'http', url: `${url}${PRICES_PATH}`, currencies: Object.keys(RATES) };
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
