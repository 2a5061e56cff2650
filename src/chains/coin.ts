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
  /** Contract address; absent for the coin. */
  token?: string | undefined;
}
