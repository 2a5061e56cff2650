/** What an exchange can do. One file per kind implements it; how a chain calls contracts is the `Caller`'s business. */
import type { OrderType } from '../api/swap.ts';
import type { Caller, Step } from './caller.ts';

/** A token of a swap, or the coin. */
export interface Asset {
  /** The token's contract; empty for the coin. */
  address: string;
  symbol: string;
  decimals: number;
}

export interface Question {
  from: Asset;
  to: Asset;
  orderType: OrderType;
  /** Of the input (SELL) or the output (BUY), in smallest units. */
  amount: bigint;
}

export interface Quote {
  /** In smallest units, as `output` is. */
  input: bigint;
  output: bigint;
  /** The pools' fees, in percent. */
  fee: number;
  /** How far the swap moves the price, in percent, without the fee. */
  priceImpact: number;
  /** Approximate gas that the transaction uses. */
  gas: bigint;
  route: Route;
}

/**
 * Token contracts in lower case, the coin as the token that represents it; `fees` of each pool between two,
 * in parts per million.
 */
export interface Route {
  path: readonly string[];
  fees: readonly number[];
}

/** A swap to build, at a price that was just quoted. */
export interface PlannedSwap extends Question {
  route: Route;
  /** The minimum output (SELL) or maximum input (BUY), in smallest units. */
  limit: bigint;
  /** The address that gets the output. */
  recipient: string;
  /** Seconds since 1970. */
  deadline: number;
}

export interface Exchange {
  readonly name: string;
  /** The contract that is called, and allowed to take the input. */
  readonly router: string;
  /** All pairs of `assets` that can be swapped, in either direction. At most one round trip, none if all is known. */
  pairs(caller: Caller, assets: readonly Asset[]): Promise<[Asset, Asset][]>;
  /**
   * The best of its routes. At most two round trips, or one if the pools are known. Throws `swap.<dex>.exchange-not-found` if it has no pools
   * for the swap, `swap.<dex>.get-price.failed` if they hold too little.
   */
  rate(caller: Caller, question: Question): Promise<Quote>;
  /** The call that swaps. It fails rather than exceed `limit` or `deadline`. */
  build(order: PlannedSwap): Step;
}
