import type { WalletPayment } from '../api/pay.ts';

/** A transaction is known, and it is not decided yet whether it pays: nothing else is to be paid meanwhile. */
export function isUnderWay(payment: WalletPayment | null | undefined): boolean {
  if (!payment) return false;
  const { state, transactionHash, problem } = payment;
  return state === 'pending' || (state !== 'paid' && transactionHash !== null && problem === null);
}
