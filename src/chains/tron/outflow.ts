import { callMove } from '../contracts/call-outflow.ts';
import type { Move, ReadOutflow } from '../outflow.ts';
import { readingOf } from './calls.ts';
import type { Contract, TronDraft } from './draft.ts';

/**
 * The maximum sun burned besides the fee limit, by the live network's parameters: per byte, for a memo, and
 * for creating the recipient's account. How much of it the wallet's own resources cover is not signed.
 */
const BYTE = 1_000n;
const MEMO = 1_000_000n;
const ACCOUNT = 1_100_000n;
/** Size of a signed transaction without data and memo. */
const BYTES = 300;

export const readOutflow: ReadOutflow<TronDraft> = async (draft) => {
  const { contract, memo, feeLimit, from } = draft;
  const data = contract.kind === 'call' ? contract.data : '0x';
  const bytes = BigInt(BYTES + (data.length + memo.length) / 2);
  const extra = (memo === '0x' ? 0n : MEMO) + (contract.kind === 'call' ? 0n : ACCOUNT);
  return {
    moves: [await moveOf(contract, from)],
    fee: { raw: feeLimit + bytes * BYTE + extra },
    fixed: { contract: { ...contract }, memo },
  };
};

async function moveOf(contract: Contract, from: string): Promise<Move> {
  if (contract.kind !== 'call') {
    const { to, amount } = contract;
    return { kind: 'pay', raw: amount, to, ...(contract.kind === 'asset' && { token: contract.token }) };
  }
  const { to, value, data } = contract;
  const reading = await readingOf(contract, from);
  if (reading) return callMove({ contract: to, value, data }, reading, from);
  // A contract can also be called without data; what it then does is unknown.
  return { kind: 'call', contract: to, value, data, plain: false, given: [] };
}
