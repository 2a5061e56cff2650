import * as z from 'zod/mini';
import { Address, bytes, type DraftFields, Hex, Recipient, uint, Uint32 } from '../requests/draft-fields.ts';
import type { VechainDraft } from './draft.ts';

const Byte = z.int().check(z.gte(0), z.lte(255));
const price = z.optional(uint(256));

export const draftFields: DraftFields<VechainDraft> = z
  .object({
    chainTag: Byte,
    blockRef: bytes(8),
    expiration: Uint32,
    clauses: z
      .array(z.object({ to: Recipient, value: uint(256), data: Hex }))
      .check(z.minLength(1), z.maxLength(500)),
    gasPriceCoef: z.optional(Byte),
    maxPriorityFeePerGas: price,
    maxFeePerGas: price,
    gas: uint(64),
    dependsOn: z.nullable(bytes(32)),
    nonce: uint(64),
    delegated: z.boolean(),
    sponsor: z.optional(z.object({ host: Address, signature: bytes(65) })),
  })
  .check(
    z.refine(
      ({ gasPriceCoef, maxFeePerGas, maxPriorityFeePerGas }) =>
        (gasPriceCoef === undefined) === (maxFeePerGas !== undefined) &&
        (maxFeePerGas === undefined) === (maxPriorityFeePerGas === undefined),
      { path: ['gasPriceCoef'], error: 'or the two prices must be there' },
    ),
  );
