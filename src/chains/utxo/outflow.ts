import type { ReadOutflow } from '../outflow.ts';
import type { UtxoDraft } from './draft.ts';
import type { UtxoProfile } from './profile.ts';
import { sum } from './selection.ts';
import { decodeAddress } from './address.ts';
import { dataOf } from './script.ts';

/** Only scripts are signed, so the recipients are read from them. */
function utxoOutflow(params: UtxoProfile): ReadOutflow<UtxoDraft> {
  return ({ from, to, inputs, outputs }) => {
    const own = decodeAddress(params, from)?.script;
    const named = decodeAddress(params, to);
    const paid = outputs.filter(({ script }) => script !== own);
    return {
      // One that carries data and coins burns them, which no recipient's limit allows.
      moves: paid
        .filter(({ value, script }) => value > 0n || !dataOf(script))
        .map(({ value, script }) => ({
          kind: 'pay',
          raw: value,
          to: script === named?.script ? named.address : script,
        })),
      fee: { raw: sum(inputs) - outputs.reduce((total, { value }) => total + value, 0n) },
      fixed: { outputs: paid.map(({ value, script }) => ({ value, script })) },
    };
  };
}

export const withProfile = (profile: UtxoProfile): { readOutflow: ReadOutflow<UtxoDraft> } => ({
  readOutflow: utxoOutflow(profile),
});
