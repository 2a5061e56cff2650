/** Coins, tokens and addresses as policies compare them. */
import { formatAmount } from '../../src/base/amount.ts';
import { CARDS, type SecretType } from '../../src/chains/secret-type.ts';

/** Hex addresses may come in either case; other forms have only one. */
export function comparable(secretType: SecretType, address: string): string {
  return CARDS[secretType].addresses === 'hex' ? address.toLowerCase() : address;
}

/**
 * `ETHEREUM` is the coin, `ETHEREUM:0x…` a token or another address: on the default network of whichever wallet. `ETHEREUM@base` and
 * `ETHEREUM@base:0x…` are those on one network.
 */
export function assetKey(secretType: SecretType, address?: string, network?: string): string {
  const place = network === undefined ? secretType : `${secretType}@${network}`;
  return address === undefined ? place : `${place}:${comparable(secretType, address)}`;
}

/** Where something is signed. */
export interface SigningPlace {
  secretType: SecretType;
  /** Id of the network. */
  network: string;
  /** Whether that is the wallet's default network. */
  byDefault: boolean;
}

/** The keys under which a policy may list the coin, or an address, where it is signed for. */
export function keysAt({ secretType, network, byDefault }: SigningPlace, address?: string): string[] {
  const named = assetKey(secretType, address, network);
  return byDefault ? [assetKey(secretType, address), named] : [named];
}

/** `key` is one without a network. */
export function atNetwork(key: string, network: string): string {
  return key.replace(/^[A-Z]+/, `$&@${network}`);
}

/** The asset as people read it. `key` has no network, whose coin has the symbol `coin`. */
export function assetText(
  key: string,
  raw: bigint,
  { decimals, coin }: { decimals: number; coin: string },
): string {
  const [, token = coin] = key.split(':');
  return `${formatAmount(raw, decimals)} ${token}`;
}
