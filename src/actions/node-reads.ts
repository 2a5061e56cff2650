/** What a first request does not wait for, in one file. */
export { maxSpendable } from './max-spendable.ts';
export { tokenBalance, tokenBalances } from './token-balances.ts';
export { transactionStatus } from './transaction-status.ts';
