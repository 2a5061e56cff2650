/** Prices as a page gets them. */

export interface AssetPrice {
  /** Contract of a token; empty for the coin, and for one that only pays fees, which `symbol` tells apart. */
  tokenAddress: string;
  symbol: string;
  /** Of one whole coin or token. */
  price: number;
  /** Time of the price, in milliseconds since 1970. */
  at: number;
}

export interface AssetPrices {
  /** ISO 4217. */
  currency: string;
  prices: AssetPrice[];
}
