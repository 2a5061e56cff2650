/** Wallets and balances as the API answers them. Browser wallets have the same shapes. */
import * as z from 'zod/mini';
import { NativeBalance } from '../chains/answers.ts';
import { SecretTypeSchema } from './secret-type.ts';

export { NativeBalance, NonFungible, TokenBalance } from '../chains/answers.ts';

export const Wallet = z.object({
  id: z.string(),
  address: z.string(),
  /** `EXTERNAL`: from another vendor, linked by this page; the service has none. */
  walletType: z.enum(['BROWSER', 'WHITE_LABEL', 'THREEWAY_SHARED', 'EXTERNAL']),
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
  /** The one that it was created with; absent without one. */
  identifier: z.optional(z.string()),
  /** Id of its network; absent for the first one of its chain. */
  network: z.optional(z.string()),
  balance: z.optional(NativeBalance),
});
export type Wallet = z.infer<typeof Wallet>;

export const CreatedWallet = z.extend(Wallet, {
  /** If a PIN was set with the wallet: the code that sets a new one if it is forgotten. Shown once, stored nowhere. */
  recoveryCode: z.optional(z.string()),
});
export type CreatedWallet = z.infer<typeof CreatedWallet>;
