import type { ReadOutflow } from '../outflow.ts';
import type { UtxoDraft } from './draft.ts';
import type { UtxoParams } from './params.ts';
import { sum } from './selection.ts';
import { decodeAddress } from './utxo-address.ts';

/** Only scripts are signed, so the recipients are read from them. */
export function utxoOutflow(params: UtxoParams): ReadOutflow<UtxoDraft> {
  return ({ from, to, inputs, outputs }) => {
    const own = decodeAddress(params, from)?.script;
    const named = decodeAddress(params, to);
    const paid = outputs.filter(({ script }) => script !== own);
    return {
      moves: paid.map(({ value, script }) => ({
        kind: 'pay',
        raw: value,
        to: script === named?.script ? named.address : script,
      })),
      fee: { raw: sum(inputs) - outputs.reduce((total, { value }) => total + value, 0n) },
      fixed: { outputs: paid.map(({ value, script }) => ({ value, script })) },
    };
  };
}
