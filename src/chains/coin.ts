/** Coins and amounts of them and of tokens. */

export interface Coin {
  symbol: string;
  decimals: number;
}

/** An exact amount. `decimals` is null when no trusted source gives them: then only `raw` may be shown. */
export interface Amount {
  raw: bigint;
  decimals: number | null;
  symbol: string;
  /** Decimals that the token itself reports, where nobody trusted gives them: only ever shown, and beside `raw`. */
  claimedDecimals?: number | undefined;
  /** Contract address; absent for the coin. */
  token?: string | undefined;
}
