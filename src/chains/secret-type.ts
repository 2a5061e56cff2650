/** The chains' names in the API, and their cards. Data only: host pages load it eagerly. */
import type { ChainCard } from './card.ts';
import type { Coin } from './coin.ts';
import * as cards from './cards.ts';

export type SecretType = keyof typeof cards;

export const CARDS: Readonly<Record<SecretType, ChainCard>> = cards;

export const SECRET_TYPES = (Object.keys(cards) as SecretType[]).sort();

/** The coin of a network: its own where `networks.json` names one (POL, BNB), else its chain's. */
export function coinOf({ secretType, coin }: Coined): Coin {
  return { ...CARDS[secretType].coin, ...(coin && { symbol: coin.symbol }) };
}

/** The coin that pays the fees of a network. */
export function gasCoinOf(network: Coined): Coin {
  return CARDS[network.secretType].gasCoin ?? coinOf(network);
}

/** What a network of `networks.json` says of its coin. */
interface Coined {
  secretType: SecretType;
  coin?: { symbol: string } | undefined;
}

/** A wallet's default network, by its id. Without one, as older versions made it, it is the first of its chain. */
export interface Home {
  secretType: SecretType;
  network?: string | undefined;
}

/**
 * Those of its chain's networks that a wallet is on, its default one first: one where addresses differ by network, or if it `isOnOne`;
 * else all, at the same address.
 */
export function walletNetworks<N extends { id: string }>(
  { secretType, network }: Home,
  all: readonly N[],
  isOnOne = false,
): N[] {
  const own = network === undefined ? all[0] : all.find(({ id }) => id === network);
  const others = isOnOne || CARDS[secretType].addressPerNetwork ? [] : all.filter((each) => each !== own);
  return own ? [own, ...others] : others;
}

/** Those whose card fits, in the order of `SECRET_TYPES`. */
export function chainsThat(fits: (card: ChainCard) => unknown): SecretType[] {
  return SECRET_TYPES.filter((secretType) => fits(CARDS[secretType]));
}

/** `; did you mean ETHEREUM?` for a secret type in the wrong case; else empty. */
export function didYouMean(text: unknown): string {
  const upper = String(text).toUpperCase();
  return Object.hasOwn(CARDS, upper) && upper !== text ? `; did you mean ${upper}?` : '';
}

/** Chains whose contracts are read here, for exchanges. */
export type ContractChain = {
  [S in SecretType]: (typeof cards)[S] extends { contracts: string } ? S : never;
}[SecretType];

export const CONTRACT_CHAINS = chainsThat(({ contracts }) => contracts) as readonly ContractChain[];

/** Names as people read them. */
export const CHAIN_NAMES = Object.fromEntries(
  SECRET_TYPES.map((secretType) => [secretType, CARDS[secretType].name]),
) as Readonly<Record<SecretType, string>>;
