/** What a source of prices is. `docs/adding-a-price-source.md` walks through one. */
import type * as z from 'zod';
import type { Chain } from '../../src/chains/chain.ts';
import type { Node } from '../../src/chains/terms.ts';
import type { Network } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { NodeQueries } from '../concurrency/node-queries.ts';

/** What a price was made of, as JSON. It is kept with the quote. */
export interface PriceBasis {
  source: string;
  [more: string]: unknown;
}

/** An amount of money that is to be paid in a coin or token. */
export interface PriceQuestion {
  network: Network;
  secretType: SecretType;
  /** What is paid with: the address of a listed token, empty for the coin. */
  token: string;
  /** Decimals of the coin or token. */
  decimals: number;
  /** The code of ISO 4217, in capital letters. */
  currency: string;
  minorUnits: bigint;
  /** The chain, and the client of its network. */
  reach: { chain: Chain; node: Node };
  /** Queries of nodes go through it. */
  queries: NodeQueries;
  /** To be called with what the price is made of, where that is not on a chain. */
  note?(basis: PriceBasis): void;
}

/** `E`: its entry beside a currency in `prices` of `networks.json`. `currency` is undefined beside `*`, which stands for every other one. */
export interface PriceSource<E = unknown> {
  entry: z.ZodType<E>;
  /** Why an entry of the right form cannot be used on the network: `must be …`. Asked when the file is read. */
  problemOf(entry: E, network: Network, currency?: string): string | undefined;
  /** Whether it has what it needs now; token lists on the web may come later. */
  isReady(entry: E, network: Network): boolean;
  /** Whether it can price the token, or the coin where `token` is empty: in the currency, or in any if there is none. */
  canPrice(entry: E, network: Network, token: string, currency?: string): boolean;
  /** Smallest units of the coin or token that are worth the amount, rounded up. Throws `checkout.wallet.no-price`. */
  price(entry: E, question: PriceQuestion): Promise<bigint>;
}
