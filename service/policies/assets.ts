/** Coins, tokens and addresses as policies compare them. */
import { formatAmount } from '../../src/base/amount.ts';
import { CARDS, type SecretType } from '../../src/chains/secret-type.ts';

/** Hex addresses may come in either case; other forms have only one. */
export function comparable(secretType: SecretType, address: string): string {
  return CARDS[secretType].addresses === 'hex' ? address.toLowerCase() : address;
}

/** `ETHEREUM` is the coin, `ETHEREUM:0x…` a token. Networks of a chain count as one. */
export function assetKey(secretType: SecretType, token?: string): string {
  return token === undefined ? secretType : `${secretType}:${comparable(secretType, token)}`;
}

/** The asset as people read it. */
export function assetText(key: string, raw: bigint, decimals: number): string {
  const [secretType, token] = key.split(':') as [SecretType, string?];
  return `${formatAmount(raw, decimals)} ${token ?? CARDS[secretType].coin.symbol}`;
}
