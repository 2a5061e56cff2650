/**
 * Prices for a page, in the currency that it names. Must not reveal which currency the user has chosen in the wallet: so nothing stored by
 * the wallet is read here, nor is the browser's cache used, whose timing would reveal it, too.
 */
import type { Amount } from '../../chains/coin.ts';
import type { Networks } from '../../chains/network.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import type { ParamsOf } from '../../channel/messages.ts';
import type { Clock } from '../../base/clock.ts';
import { RequestInvalidError } from '../../base/errors.ts';
import { type AssetPrice, type AssetPrices, Prices } from '../../prices/prices.ts';
import { currencyFor } from '../../prices/currencies.ts';
import { readFiat } from '../../prices/entry.ts';
import type { NodeReader } from '../frame.ts';

/** One per currency. */
const pricesByCurrency = new WeakMap<Networks, Map<string, Prices>>();

/** Null without a price source. Throws `request.invalid` for a currency that the source lacks. */
export async function assetPrices(
  { networks, clock }: NodeReader,
  { currency: requested, language = navigator.language, ...home }: ParamsOf<'prices'>,
): Promise<AssetPrices | null> {
  const network = networkOf(networks, home);
  const currencies = currenciesOf(networks);
  if (!currencies) return null;
  if (requested !== undefined && !currencies.includes(requested))
    throw new RequestInvalidError([
      { path: 'currency', message: `is not one that this wallet has prices in: ${currencies.join(', ')}` },
    ]);
  const currency = requested ?? currencyFor(language, currencies);
  const prices = pricesIn(currency, networks, clock);
  await prices.load();
  const [coin, gasCoin] = [coinOf(network), gasCoinOf(network)];
  const assets = [
    ...(gasCoin.symbol === coin.symbol ? [coin] : [coin, gasCoin]),
    ...network.tokens.map((token) => ({ ...token, token: token.address })),
  ];
  return {
    currency,
    prices: assets.flatMap((asset: Omit<Amount, 'raw'>): AssetPrice[] => {
      const { token = '', symbol, decimals } = asset;
      const one = prices.worth(network, { ...asset, raw: 10n ** BigInt(decimals!) });
      return one ? [{ tokenAddress: token, symbol, price: one.value, at: one.at }] : [];
    }),
  };
}

/** Undefined without a price source, or if its entry in `networks.json` is invalid: amounts then have no prices. */
function currenciesOf({ fiat }: Networks): readonly string[] | undefined {
  try {
    return fiat === undefined ? undefined : readFiat(fiat).currencies;
  } catch {
    return undefined;
  }
}

function pricesIn(currency: string, networks: Networks, clock: Clock): Prices {
  const all = pricesByCurrency.get(networks) ?? new Map<string, Prices>();
  pricesByCurrency.set(networks, all);
  let prices = all.get(currency);
  if (!prices) {
    const memory = new Map<string, string>();
    prices = new Prices({
      clock,
      entry: networks.fiat,
      language: '',
      storage: {
        getItem: (key) => memory.get(key) ?? null,
        setItem: (key, text) => void memory.set(key, text),
      },
      fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
    });
    prices.currency = currency;
    all.set(currency, prices);
  }
  return prices;
}
