import * as z from 'zod/mini';
import { Address, bytes, Count, type DraftFields, Hex, uint } from '../requests/draft-fields.ts';
import type { TronDraft } from './draft.ts';
import { isAssetId } from './fields.ts';

const Amount = uint(63);

export const draftFields: DraftFields<TronDraft> = z.object({
  contract: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('coin'), to: Address, amount: Amount }),
    z.object({
      kind: z.literal('asset'),
      token: z.string().check(z.maxLength(19), z.refine(isAssetId, 'must be digits')),
      to: Address,
      amount: Amount,
    }),
    z.object({ kind: z.literal('call'), to: Address, value: Amount, data: Hex }),
  ]),
  refBlockBytes: bytes(2),
  refBlockHash: bytes(8),
  expiration: Count,
  timestamp: Count,
  feeLimit: Amount,
  memo: Hex,
});
