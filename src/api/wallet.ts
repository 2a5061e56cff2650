/** Wallets and balances as the API answers them (spec 2.2 to 2.4). Browser wallets have the same shapes. */
import * as z from 'zod/mini';
import { SecretTypeSchema } from './secret-type.ts';

export const NativeBalance = z.object({
  available: z.boolean(),
  secretType: SecretTypeSchema,
  /** Coins, rounded to what a number can hold; `rawBalance` is exact. */
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

export const Wallet = z.object({
  id: z.string(),
  address: z.string(),
  walletType: z.enum(['BROWSER', 'WHITE_LABEL', 'THREEWAY_SHARED']),
  secretType: SecretTypeSchema,
  /** Year, month, day, hour, minute, second, nanosecond; UTC. */
  createdAt: z.array(z.int()),
  archived: z.boolean(),
  alias: z.string(),
  description: z.string(),
  /** The primary wallet of its secret type. */
  primary: z.boolean(),
  hasCustomPin: z.boolean(),
  status: z.enum(['ACTIVE', 'ARCHIVED', 'UNAVAILABLE']),
  /** Id of its network; absent for the first one of its chain. */
  network: z.optional(z.string()),
  balance: z.optional(NativeBalance),
});
export type Wallet = z.infer<typeof Wallet>;

export const CreatedWallet = z.extend(Wallet, {
  /** Where a PIN was made with the wallet: sets another one when it is forgotten. Shown once, stored nowhere. */
  recoveryCode: z.optional(z.string()),
});
export type CreatedWallet = z.infer<typeof CreatedWallet>;
