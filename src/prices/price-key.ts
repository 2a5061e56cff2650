import type { Amount } from '../chains/coin.ts';
import type { Network } from '../chains/network.ts';
import { coinOf, gasCoinOf } from '../chains/secret-type.ts';

type Priced = Pick<Network, 'id' | 'secretType' | 'coin' | 'tokens'>;

const sameAddress = (one: string, other: string): boolean =>
  /^0x/i.test(one) ? one.toLowerCase() === other.toLowerCase() : one === other;

/**
 * An asset's key in price lists: `ethereum` for the coin of the network with this id, `vechain/VTHO` for the coin that pays its fees,
 * `ethereum/0xa0b8…` for a token; hex addresses are in lower case. Undefined for a token that the network does not list: anybody
 * can name their token like another one.
 */
export function priceKey(
  network: Priced,
  { token, symbol, decimals }: Pick<Amount, 'token' | 'symbol' | 'decimals'>,
): string | undefined {
  const { id, tokens } = network;
  if (decimals === null) return undefined;
  if (token === undefined) {
    if (symbol === coinOf(network).symbol) return id;
    return symbol === gasCoinOf(network).symbol ? `${id}/${symbol}` : undefined;
  }
  const listed = tokens.find(({ address }) => sameAddress(address, token));
  return listed && listed.decimals === decimals ? plainKey(`${id}/${listed.address}`) : undefined;
}

/** A key in the form that `priceKey` returns. */
export function plainKey(key: string): string {
  return key.replace(/\/0x[0-9a-f]+$/i, (address) => address.toLowerCase());
}
