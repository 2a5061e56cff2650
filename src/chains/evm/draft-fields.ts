import * as z from 'zod/mini';
import { bytes, Count, type DraftFields, Hex, Recipient, uint } from '../requests/draft-fields.ts';
import type { EvmDraft } from './draft.ts';

const price = z.optional(uint(256));

const AccessList = z
  .array(z.tuple([bytes(20), z.array(bytes(32)).check(z.maxLength(256))]))
  .check(z.minLength(1), z.maxLength(64));

const draftFields: DraftFields<EvmDraft> = z
  .object({
    chainId: z.int().check(z.gte(1)),
    type: z.literal([0, 2]),
    nonce: Count,
    gas: uint(64),
    gasPrice: price,
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
    to: Recipient,
    value: uint(256),
    data: Hex,
    accessList: z.optional(AccessList),
  })
  .check(
    z.refine(
      ({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList }) =>
        type === 0
          ? accessList === undefined &&
            gasPrice !== undefined &&
            maxFeePerGas === undefined &&
            maxPriorityFeePerGas === undefined
          : gasPrice === undefined && maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined,
      { path: ['type'], error: 'must go with its prices' },
    ),
  );

export const withProfile = (): { draftFields: DraftFields<EvmDraft> } => ({ draftFields });
