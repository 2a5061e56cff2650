import * as z from 'zod/mini';
import type { Node } from '../terms.ts';
import { Address, Count, type DraftFields, Hex, uint, Uint32 } from '../requests/draft-fields.ts';
import { invalid } from '../requests/payloads.ts';
import type { UtxoDraft } from './draft.ts';
import { findWrong } from './node.ts';
import { keyHashOf } from './script.ts';

const Amount = uint(63);
const Script = Hex.check(z.maxLength(200));

const draftFields: DraftFields<UtxoDraft> = z.object({
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
  outputs: z.array(z.object({ value: Amount, script: Script })).check(z.minLength(1), z.maxLength(3)),
  fee: Amount,
  size: Count,
});

/** Inputs are signed one by one, without the values of the others, or as P2PKH without any (see `verify`). Only one P2WPKH input needs no check. */
async function checkDraft({ inputs }: UtxoDraft, node: Node): Promise<void> {
  if (inputs.length === 1 && keyHashOf(inputs[0]!.script)?.segwit) return;
  const wrong = await findWrong(node, inputs);
  if (wrong) throw invalid('draft', `has a wrong amount or script for the coin ${wrong.txid}:${wrong.vout}`);
}

export const withProfile = (): { draftFields: DraftFields<UtxoDraft>; checkDraft: typeof checkDraft } => ({
  draftFields,
  checkDraft,
});
