import { clauseMove } from '../contracts/call-outflow.ts';
import type { ReadOutflow } from '../outflow.ts';
import { type VechainDraft, VTHO } from './draft.ts';
import { inTurns } from './in-turns.ts';

/** Wei of VTHO per gas that a legacy transaction pays with a coefficient of 0: `base-gas-price`, since 2020. */
const LEGACY_PRICE = 10n ** 13n;

export const readOutflow: ReadOutflow<VechainDraft> = async (draft) => {
  const { clauses, dependsOn, delegated, gas, gasPriceCoef = 0, maxFeePerGas, from } = draft;
  const price = maxFeePerGas ?? LEGACY_PRICE + (LEGACY_PRICE * BigInt(gasPriceCoef)) / 255n;
  return {
    moves: await inTurns(clauses, (clause) => clauseMove(clause, from)),
    fee: { raw: delegated ? 0n : gas * price, token: VTHO.address },
    fixed: {
      clauses: clauses.map(({ to, value, data }) => ({
        to: to?.toLowerCase() ?? null,
        value,
        data: data.toLowerCase(),
      })),
      dependsOn,
    },
  };
};
