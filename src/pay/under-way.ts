import type { WalletPayment } from '../api/pay.ts';

/** A transaction is known but not yet settled: nothing else may be paid meanwhile. */
export function isUnderWay(payment: WalletPayment | null | undefined): boolean {
  if (!payment) return false;
  const { state, transactionHash, problem } = payment;
  return state === 'pending' || (state !== 'paid' && transactionHash !== null && problem === null);
}
