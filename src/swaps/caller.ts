/** How exchanges read contracts, on any chain that has Ethereum's. */
import type { ChainCard } from '../chains/card.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import type { Node } from '../chains/chain.ts';

/** A call that changes nothing. */
export interface ContractRead {
  to: string;
  data: string;
}

/** A call that a transaction makes. */
export interface Step extends ContractRead {
  /** Smallest units of the coin. */
  value: bigint;
}

/** What a call answered, or why it failed, in the contract's words. */
export type Outcome = { data: string } | { failed: string };

export interface Caller {
  /** One round, however many calls. Undefined for one that fails, or that no contract answers. */
  read(calls: readonly ContractRead[]): Promise<(string | undefined)[]>;
  /** One call as `from` would make it. One round. */
  attempt(from: string, step: Step): Promise<Outcome>;
  /**
   * One after the other, each on the state that the previous one left, up to the first that fails. One round. Undefined where the node
   * cannot do that; throws `transaction.insufficient-funds` where `from` does not have the coins.
   */
  trial(from: string, steps: readonly Step[]): Promise<Outcome[] | undefined>;
  /** About what a unit of gas costs now, in smallest units of the coin that pays it. One round. */
  gasPrice(): Promise<bigint>;
  /** Seconds since 1970, of the newest block. One round. */
  now(): Promise<number>;
}

const CALLERS: Record<NonNullable<ChainCard['contracts']>, () => Promise<(node: Node) => Caller>> = {
  evm: async () => (await import('./evm-caller.ts')).evmCaller,
  vechain: async () => (await import('./vechain-caller.ts')).vechainCaller,
};

/** Undefined for chains whose contracts are others, or none. */
export async function callerOf(secretType: SecretType, node: Node): Promise<Caller | undefined> {
  const { contracts } = CARDS[secretType];
  return contracts && (await CALLERS[contracts]())(node);
}
