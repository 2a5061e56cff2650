import type { AssetPrices } from '../prices/asset-prices.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import type { CallOptions, ConnectOptions } from './types.ts';

/** Prices of the coin and listed tokens of a linked wallet's network, from the wallet's own source. */
export function prices(
  context: Context,
  { currency: usual, locale: language }: ConnectOptions,
  id: string,
  currency: string | undefined,
  options: CallOptions,
): Promise<AssetPrices | null> {
  const { address: _, ...where } = whereabouts(context, id);
  return context.host.read('prices', { ...where, currency: currency ?? usual, language }, options);
}
