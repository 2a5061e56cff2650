/** What calls do, in the words that approvals, warnings and node clients share. */
import type { AbiValue } from './abi.ts';

/**
 * A call's effect on the wallet's holdings, as far as its selector tells. Without `token` it concerns the
 * called contract.
 */
export type Effect =
  /** The coin, sent by a call inside another. */
  | { kind: 'coin'; to: string; amount: bigint }
  /** ERC-20, or an ERC-721 by the same selector (`transferFrom`): see `settled`. */
  | { kind: 'token'; from?: string; to: string; amount: bigint; token?: string }
  | { kind: 'nft'; from?: string; to: string; id: bigint; amount: bigint; token?: string }
  /**
   * `until`: when the allowance ends, in seconds since 1970. `increase` and `decrease` change the current
   * allowance by `amount`.
   */
  | {
      kind: 'approval';
      from?: string;
      spender: string;
      amount: bigint;
      token?: string;
      until?: bigint;
      increase?: true;
      decrease?: true;
      /** The token's total supply, if known. */
      supply?: bigint;
    }
  | { kind: 'nft-approval'; spender: string; id: bigint }
  | { kind: 'approval-for-all'; operator: string; approved: boolean }
  /** The called contract's owner, or its code, changes: to `to`, if somebody gets it. */
  | { kind: 'control'; to?: string }
  /** Code of another contract runs as the account that is called (delegatecall). */
  | { kind: 'foreign-code'; to: string }
  /**
   * Paid into a trade, at most: without `token`, of the coin that is sent with the call. `to` is whom a trade names that has two parties,
   * or the contract called where it holds the token for a later step. `coins`: if the token is the wrapped coin, with coins sent along.
   * `priceLimit`: at which it ends early, 0 for none.
   */
  | { kind: 'pay'; token?: string; amount: bigint; to?: string; coins?: true; priceLimit?: bigint }
  /**
   * A step takes `amount` of what the contract called holds by then, or all of it: the coin without `token`. `wraps`: it stays there as the
   * wrapped coin. Approvals do not show it.
   */
  | { kind: 'use'; token?: string; amount?: bigint; wraps?: true }
  /**
   * Asked for in a trade, at least: the coin without `token`, an item with `id`; without `amount`, what the
   * arguments do not name. `rest`: with all that the contract called still holds of it; `unwraps`: of the wrapped coin. `put`: of a share in
   * a pool, what is put in for it at least, whatever the tokens: 0 is any rate.
   */
  | {
      kind: 'receive';
      to: string;
      amount?: bigint;
      token?: string;
      id?: bigint;
      rest?: true;
      unwraps?: true;
      put?: bigint;
    }
  /** Somebody else gets `amount` of what a trade holds, or a `share` in hundredths of a per cent. */
  | { kind: 'pass-on'; to: string; token?: string; amount?: bigint; share?: bigint }
  /** Moves nothing. */
  | { kind: 'nothing' }
  /** Moves what the arguments do not tell. */
  | { kind: 'other' };

export interface Call {
  /** `transfer(address,uint256)`; null when the selector is not known or the arguments do not fit it. */
  signature: string | null;
  name: string | null;
  values: readonly { name: string; type: string; value: AbiValue }[];
}

/** The reason inside revert bytes: `Error(string)`, `Panic(uint256)`, else undefined. */
export async function revertReason(data: string | undefined): Promise<string | undefined> {
  try {
    if (data?.startsWith('0x08c379a0')) {
      const { decode } = await import('./abi.ts');
      return String(decode(['string'], `0x${data.slice(10)}`)[0]).slice(0, 200);
    }
    if (data?.startsWith('0x4e487b71')) return `Panic 0x${BigInt(`0x${data.slice(10)}`).toString(16)}`;
  } catch {
    // Bytes that only look like a reason do not count.
  }
  return undefined;
}

/**
 * Whether a limit is effectively unlimited: it is 2^96 − 1 (the largest limit of some tokens) or more, which nobody owns of anything, or it
 * is the total supply or more.
 */
export function isUnlimited(amount: bigint, supply = 0n): boolean {
  return amount >= (1n << 96n) - 1n || (supply > 0n && amount >= supply);
}

/** The zero address, the recipient of burned tokens. */
export const NOBODY = `0x${'0'.repeat(40)}`;
/** The same address as Tron writes it. */
const NOBODY_ON_TRON = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb';

export function isNobody(address: string): boolean {
  return address === NOBODY || address === NOBODY_ON_TRON;
}
