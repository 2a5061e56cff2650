/** What calls about wallets take (spec 4.3). */
import * as z from 'zod/mini';
import { SecretTypeSchema } from './secret-type.ts';
import { line, Pincode, prose, WalletId } from './text.ts';

export const CreateWallet = z.strictObject({
  pincode: Pincode,
  alias: z.optional(prose(256)),
  description: z.optional(prose(1024)),
  /** Unique per client: repeated, it answers the same wallet. */
  identifier: z.optional(line(256)),
  secretType: SecretTypeSchema,
  walletType: z.enum(['WHITE_LABEL', 'THREEWAY_SHARED']),
});
export type CreateWallet = z.infer<typeof CreateWallet>;

export const WalletParams = z.strictObject({ id: WalletId });
export const WalletsQuery = z.strictObject({ secretType: z.optional(SecretTypeSchema) });
export const WalletTokenParams = z.strictObject({ id: WalletId, token: line(128) });
