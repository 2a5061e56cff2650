import * as z from 'zod/mini';
import { Address, Count, type DraftFields, Hex, uint } from '../requests/draft-fields.ts';
import type { AeternityDraft } from './draft.ts';

export const draftFields: DraftFields<AeternityDraft> = z.object({
  to: Address,
  amount: uint(256),
  fee: uint(256),
  ttl: Count,
  nonce: Count,
  payload: Hex,
  networkId: z.string().check(z.minLength(1), z.maxLength(128)),
});
