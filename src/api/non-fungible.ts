/** Non-fungible tokens: docs/service.md#non-fungible-tokens. */
import * as z from 'zod/mini';
import { line, WalletId } from './text.ts';

export { NonFungible } from '../chains/answers.ts';

export const NonFungibleParams = z.strictObject({ walletId: WalletId });

export const NonFungibleQuery = z.strictObject({
  /** Repeatable; restricts the answer to these contracts. */
  'contract-addresses': z.optional(z.union([line(128), z.array(line(128)).check(z.maxLength(100))])),
});
