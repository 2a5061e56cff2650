/**
 * How exchanges read contracts, on any chain with Ethereum-like contracts. Contracts know addresses of 20 bytes, and so does the code of
 * exchanges: `0x` and 40 hex digits, in any case. Networks, wallets, requests and answers have them as their chain writes them: `T…` on Tron.
 */
import type { ChainCard } from '../chains/card.ts';
import type { Node } from '../chains/terms.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';

/** A call that changes nothing. */
export interface ContractRead {
  to: string;
  data: string;
}

/** A call that a transaction makes. */
export interface Step extends ContractRead {
  /** In smallest units of the coin. */
  value: bigint;
}

/** What a call returned, or why it failed, in the contract's words. */
export type Outcome = { data: string } | { failed: string };

export interface Caller {
  /** Takes one round trip, however many calls. Undefined for a call that fails, or that no contract answers. */
  read(calls: readonly ContractRead[]): Promise<(string | undefined)[]>;
  /** Tries a call as `from` would make it, in one round trip. */
  attempt(from: string, step: Step): Promise<Outcome>;
  /** Whether `trial` can run more than one step. */
  readonly runsSequences: boolean;
  /**
   * Runs the steps in order, each on the state that the previous one left, up to the first that fails, in one round
   * trip. Undefined if the node cannot do that; throws `transaction.insufficient-funds` if `from` lacks the
   * coins.
   */
  trial(from: string, steps: readonly Step[]): Promise<Outcome[] | undefined>;
  /** Approximate price of a unit of gas now, in smallest units of the coin that pays it. Takes one round trip. */
  gasPrice(): Promise<bigint>;
  /** The newest block's time, in seconds since 1970. Takes one round trip. */
  now(): Promise<number>;
}

const CALLERS: Record<NonNullable<ChainCard['contracts']>, () => Promise<(node: Node) => Caller>> = {
  evm: async () => (await import('./evm-caller.ts')).evmCaller,
  vechain: async () => (await import('./vechain-caller.ts')).vechainCaller,
  tron: async () => (await import('./tron-caller.ts')).tronCaller,
};

/** Undefined for chains with other contracts, or none. */
export async function callerOf(secretType: SecretType, node: Node): Promise<Caller | undefined> {
  const { contracts } = CARDS[secretType];
  return contracts && (await CALLERS[contracts]())(node);
}

export interface AddressForm {
  /** `0x…`, of an address as the chain writes it. */
  inContracts(address: string): string;
  /** As the chain writes it, of `0x…`. */
  written(hex: string): string;
  /** The address as the chain writes it. Throws an error whose message follows the field's name. */
  read(value: unknown): string;
}

export async function addressFormOf(secretType: SecretType): Promise<AddressForm> {
  if (CARDS[secretType].contracts === 'tron') {
    const { fromEvm, readAddress, toEvm } = await import('../chains/tron/address.ts');
    return { inContracts: toEvm, written: fromEvm, read: readAddress };
  }
  const { readHexAddress } = await import('../chains/contracts/evm-address.ts');
  return {
    inContracts: (address) => address,
    written: (hex) => hex,
    read: (value) => readHexAddress(value, secretType),
  };
}
