import type { Amount } from '../chains/chain.ts';
import type { Network } from '../chains/network.ts';
import { CARDS } from '../chains/secret-type.ts';

type Priced = Pick<Network, 'id' | 'secretType' | 'tokens'>;

const sameAddress = (one: string, other: string): boolean =>
  /^0x/i.test(one) ? one.toLowerCase() === other.toLowerCase() : one === other;

/**
 * What a source calls it: `ethereum` the coin of the network with this id, `vechain/VTHO` the coin that pays its fees,
 * `ethereum/0xa0b8…` a token; hex addresses are in lower case. Undefined for a token that the network does not list: anybody can
 * give theirs the name of another.
 */
export function priceKey(
  { id, secretType, tokens }: Priced,
  { token, symbol, decimals }: Pick<Amount, 'token' | 'symbol' | 'decimals'>,
): string | undefined {
  if (decimals === null) return undefined;
  if (token === undefined) {
    const { coin, gasCoin = coin } = CARDS[secretType];
    if (symbol === coin.symbol) return id;
    return symbol === gasCoin.symbol ? `${id}/${symbol}` : undefined;
  }
  const listed = tokens.find(({ address }) => sameAddress(address, token));
  return listed && listed.decimals === decimals ? plainKey(`${id}/${listed.address}`) : undefined;
}

/** As `priceKey` writes it. */
export function plainKey(key: string): string {
  return key.replace(/\/0x[0-9a-f]+$/i, (address) => address.toLowerCase());
}
