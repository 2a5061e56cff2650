import { clauseMove } from '../contracts/call-outflow.ts';
import type { ReadOutflow } from '../outflow.ts';
import type { EvmDraft } from './draft.ts';

const readOutflow: ReadOutflow<EvmDraft> = async (draft) => {
  const { to, value, data, gas, gasPrice, maxFeePerGas, accessList, from } = draft;
  return {
    moves: [await clauseMove({ to, value, data }, from)],
    fee: { raw: gas * (maxFeePerGas ?? gasPrice!) },
    fixed: { to: to?.toLowerCase() ?? null, value, data: data.toLowerCase(), accessList },
  };
};

export const withProfile = (): { readOutflow: ReadOutflow<EvmDraft> } => ({ readOutflow });
