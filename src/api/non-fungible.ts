/** Non-fungible tokens (spec 2.5). */
import * as z from 'zod/mini';
import { line, WalletId } from './text.ts';

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

export const NonFungibleParams = z.strictObject({ walletId: WalletId });

export const NonFungibleQuery = z.strictObject({
  /** Repeatable; restricts the answer to these contracts. */
  'contract-addresses': z.optional(z.union([line(128), z.array(line(128)).check(z.maxLength(100))])),
});
