import * as z from 'zod/mini';
import { Address, Count, type DraftFields, Hex, uint, Uint32 } from '../draft-fields.ts';
import type { UtxoDraft } from './draft.ts';

const Amount = uint(63);
const Script = Hex.check(z.maxLength(200));

export const utxoDraftFields: DraftFields<UtxoDraft> = z.object({
  to: Address,
  value: Amount,
  inputs: z
    .array(
      z.object({
        txid: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')),
        vout: Uint32,
        value: Amount,
        script: Script,
      }),
    )
    .check(z.minLength(1), z.maxLength(200)),
  outputs: z.array(z.object({ value: Amount, script: Script })).check(z.minLength(1), z.maxLength(2)),
  fee: Amount,
  size: Count,
});
