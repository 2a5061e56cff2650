import * as z from 'zod/mini';
import { Count, type DraftFields, Hex, Recipient, uint } from '../draft-fields.ts';
import type { EvmDraft } from './draft.ts';

const price = z.optional(uint(256));

export const evmDraftFields: DraftFields<EvmDraft> = z
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
  })
  .check(
    z.refine(
      ({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }) =>
        type === 0
          ? gasPrice !== undefined && maxFeePerGas === undefined && maxPriorityFeePerGas === undefined
          : gasPrice === undefined && maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined,
      { path: ['type'], error: 'must go with its prices' },
    ),
  );
