/** Prices in the form that a page gets. */

export interface AssetPrice {
  /** The token's contract; empty for the coin, and for a coin that only pays fees: `symbol` distinguishes them. */
  tokenAddress: string;
  symbol: string;
  /** The price of one whole coin or token. */
  price: number;
  /** Time of the price, in milliseconds since 1970. */
  at: number;
}

export interface AssetPrices {
  /** ISO 4217. */
  currency: string;
  prices: AssetPrice[];
}
