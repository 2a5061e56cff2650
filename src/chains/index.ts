/**
 * npm export `carabiner/chains`. A chain is loaded from its folder, which is its secret type in lower case: `index.ts` has all of it,
 * `payload.ts` its schemas, `address.ts` its addresses. Bundlers make a lazy chunk of each.
 */
import type { Chain } from './chain.ts';
import type { DraftOf } from './drafts.ts';
import { loadChain as load } from './load.ts';
import type { SecretType } from './secret-type.ts';

export { AmountError, formatAmount, parseUnits, roundAmount } from './amount.ts';
export type { ChainCard } from './card.ts';
export type * from './chain.ts';
export type * from './drafts.ts';
export { loadPayloads } from './load.ts';
export type { Network, Networks, Token } from './network.ts';
export type * from './requests.ts';
export type { Payloads } from './requests/payloads.ts';
export { CARDS, CHAIN_NAMES, SECRET_TYPES, type SecretType } from './secret-type.ts';
export { secretTypeOf } from './transaction-types.ts';

/**
 * Signer, node client and everything else of a chain. Rejects with `chain.not-supported`. Its `node` checks the network that it is given:
 * here no schema has read it before.
 */
export async function loadChain<S extends SecretType>(secretType: S): Promise<Chain<DraftOf<S>>> {
  const [chain, { checkNetwork }] = await Promise.all([load(secretType), import('./nodes/check-network.ts')]);
  return { ...chain, node: (network, options) => chain.node(checkNetwork(network, secretType), options) };
}

/** A new recovery phrase (BIP-39, English) of 12, 15, 18, 21 or 24 words, from the platform's own randomness. */
export async function newPhrase(words = 12): Promise<string> {
  return (await import('./keys/phrase.ts')).makePhrase(words);
}

/**
 * The 64 bytes that `Chain.deriveKey` takes, of a recovery phrase (BIP-39, English) of 12 to 24 words. Overwrite them with zeros after
 * use. Throws `request.invalid` at `phrase`, or at the word: `phrase.3`.
 */
export async function seedOfPhrase(phrase: string, passphrase = ''): Promise<Uint8Array> {
  return (await import('./keys/phrase.ts')).seedOf(phrase, passphrase);
}
