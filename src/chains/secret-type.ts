/** What a chain is called by the API, and the card of each. Data only: host pages load it at once. */
import type { ChainCard } from './card.ts';
import * as cards from './cards.ts';

export type SecretType = keyof typeof cards;

export const CARDS: Readonly<Record<SecretType, ChainCard>> = cards;

export const SECRET_TYPES = (Object.keys(cards) as SecretType[]).sort();

/** Those whose card fits, in the order of `SECRET_TYPES`. */
export function chainsThat(fits: (card: ChainCard) => unknown): SecretType[] {
  return SECRET_TYPES.filter((secretType) => fits(CARDS[secretType]));
}

/** `; did you mean ETHEREUM?` for text that is a secret type but for its case; else nothing. */
export function didYouMean(text: unknown): string {
  const upper = String(text).toUpperCase();
  return Object.hasOwn(CARDS, upper) && upper !== text ? `; did you mean ${upper}?` : '';
}

/** Chains with contracts that are read here: exchanges are made of them, and payments to them can be followed. */
export type ContractChain = {
  [S in SecretType]: (typeof cards)[S] extends { contracts: string } ? S : never;
}[SecretType];

export const CONTRACT_CHAINS = chainsThat(({ contracts }) => contracts) as readonly ContractChain[];

/** Names as people read them. */
export const CHAIN_NAMES = Object.fromEntries(
  SECRET_TYPES.map((secretType) => [secretType, CARDS[secretType].name]),
) as Readonly<Record<SecretType, string>>;
