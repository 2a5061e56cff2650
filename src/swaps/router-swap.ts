/** What a call to a router swaps, as read by the reader of its kind of exchange. */
import type { AbiValue } from '../chains/contracts/abi.ts';
import type { Call } from '../chains/contracts/calls.ts';

export interface RouterCall {
  to: string;
  /** In smallest units of the coin. */
  value: bigint;
  data: string;
}

export interface RouterSwap {
  /** Token contract; empty for the coin. `to` likewise. */
  from: string;
  to: string;
  sell: boolean;
  input: bigint;
  output: bigint;
  recipient: string;
  deadline: bigint;
}

/** What `terms.ts` of a kind's folder exports. */
export interface TermsReader {
  /** `wrapped`: the token that represents the coin, in lower case. Undefined for a call that is not a plain swap. */
  readSwap(call: RouterCall, wrapped: string): RouterSwap | undefined;
}

/** A call's arguments by name. */
export function named({ values }: Call): Record<string, AbiValue> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

export function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
