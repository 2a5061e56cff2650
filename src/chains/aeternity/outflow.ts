import type { ReadOutflow } from '../outflow.ts';
import type { AeternityDraft } from './draft.ts';

export const readOutflow: ReadOutflow<AeternityDraft> = ({ to, amount, fee, payload }) => ({
  moves: [{ kind: 'pay', raw: amount, to }],
  fee: { raw: fee },
  fixed: { to, amount, payload },
});
