/**
 * Incoming payments of an address, as a node reports them: only for the wallet's history. Nothing signed
 * depends on it.
 */
import type { Node } from '../terms.ts';
import type { Amount } from '../coin.ts';

export interface Incoming {
  /** Unique among all that ever came to the address. */
  id: string;
  hash: string;
  /** Undefined if there were several senders, and for newly mined coins. */
  from?: string | undefined;
  amount: Amount;
  /** Its block's time, in milliseconds since 1970. Undefined while pending. */
  at?: number | undefined;
  /**
   * Dust, or an unlisted token: how a look-alike address gets into histories, to be copied from there
   * ("address poisoning").
   */
  dust?: boolean | undefined;
}

/** A payment in coins that no index of nodes has: found by what an account's balance did. */
export interface CoinArrival extends Omit<Incoming, 'hash' | 'at'> {
  /** Undefined where a contract paid it, and for what was only seen. */
  hash?: string | undefined;
  /** The time of its block; of what was only seen, that of the block where it was seen. */
  at: number;
  /** Its block, or the one where it was seen. */
  block: number;
  /** Only the balance tells of it: everything that came after this time, in one sum. */
  seenSince?: number | undefined;
}

/** What an account had in a block that has its confirmations. */
export interface CoinLook {
  block: number;
  hash: string;
  /** In milliseconds since 1970. */
  time: number;
  balance: bigint;
  nonce: number;
}

export interface CoinsFound {
  items: CoinArrival[];
  /** For the next search, latest last. */
  looks: CoinLook[];
  /** The chain was reorganised: what was found after this block may never have come. */
  validTo?: number | undefined;
}

/**
 * What came in coins since the last of `looks`. `payers`: contracts whose events tell what they pay (`payout-logs.ts`). `spent`: what the account's own transactions with nonces from the first to before the second
 * one took from its balance; undefined if that is not known, or if they may have brought coins. Throws if no nodes can tell.
 */
export type FindCoins = (
  address: string,
  node: Node,
  looks: readonly CoinLook[],
  spent: (first: number, end: number) => bigint | undefined,
  payers?: readonly string[],
) => Promise<CoinsFound>;

export interface Arrived {
  /** In no order. May repeat what was reported before. */
  items: Incoming[];
  /** Cursor for the next search. */
  cursor?: number | undefined;
}

/** Throws if the node cannot report them. */
export type FindIncoming = (
  address: string,
  node: Node,
  cursor: number | undefined,
  coin: { symbol: string; decimals: number },
) => Promise<Arrived>;

/** Maximum results of one search. */
export const MAX_INCOMING = 100;

/** Requests per search and list. If they do not reach back to the last search, the gap stays unknown. */
export const MAX_PAGES = 8;

/** A full search's worth that is not dust: stop. */
export function isEnough(found: readonly { dust?: boolean | undefined }[]): boolean {
  return found.filter(({ dust }) => !dust).length >= MAX_INCOMING;
}

/** One search's worth: dust, which anybody can send in any number, gets only the remaining places. */
export function mostOf<T extends { dust?: boolean | undefined }>(found: readonly T[]): T[] {
  return [...found.filter(({ dust }) => !dust), ...found.filter(({ dust }) => dust)].slice(0, MAX_INCOMING);
}

/** Under 0.01 with six decimals or fewer, such as a cent, and under 0.0001 with more. */
export function isDust({ raw, decimals }: Amount): boolean {
  if (decimals === null) return true;
  return raw * (decimals > 6 ? 10_000n : 100n) < 10n ** BigInt(decimals);
}
