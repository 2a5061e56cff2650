/** What chains answer about a wallet, as schemas: the HTTP API has the same shapes. */
import * as z from 'zod/mini';
import { SECRET_TYPES } from './secret-type.ts';

export const NativeBalance = z.object({
  available: z.boolean(),
  secretType: z.enum(SECRET_TYPES),
  /** Coins, rounded to a number's precision; `rawBalance` is exact. */
  balance: z.number(),
  gasBalance: z.number(),
  symbol: z.nullable(z.string()),
  gasSymbol: z.nullable(z.string()),
  /** Smallest units, decimal digits. */
  rawBalance: z.string(),
  rawGasBalance: z.string(),
  decimals: z.number(),
});
export type NativeBalance = z.infer<typeof NativeBalance>;

export const TokenBalance = z.object({
  tokenAddress: z.string(),
  rawBalance: z.string(),
  balance: z.number(),
  decimals: z.number(),
  symbol: z.string(),
  logo: z.string(),
  /** The standard the token follows on its chain: `ERC20`. */
  type: z.string(),
  transferable: z.boolean(),
});
export type TokenBalance = z.infer<typeof TokenBalance>;

/** A non-fungible token. */
export const NonFungible = z.object({
  id: z.string(),
  tokenId: z.string(),
  owner: z.string(),
  name: z.string(),
  description: z.string(),
  url: z.string(),
  backgroundColor: z.nullable(z.string()),
  imageUrl: z.string(),
  /** 512 px. */
  imagePreviewUrl: z.nullable(z.string()),
  /** 128 px. */
  imageThumbnailUrl: z.nullable(z.string()),
  contract: z.object({
    name: z.string(),
    description: z.string(),
    address: z.string(),
    symbol: z.string(),
    url: z.string(),
    imageUrl: z.string(),
    /** `ERC_721`. */
    type: z.string(),
  }),
});
export type NonFungible = z.infer<typeof NonFungible>;
