/** Reads that a page's first request does not need, bundled into one file. */
export { balance } from './balance.ts';
export { build } from './build.ts';
export { maxSpendable } from './max-spendable.ts';
export { nonFungibles } from './non-fungibles.ts';
export { prices } from './prices.ts';
export { profile } from './profile.ts';
export { tellUnlinked } from './tell-unlinked.ts';
export { tokenBalance, tokenBalances } from './token-balances.ts';
export { transactionStatus } from './transaction-status.ts';
export { wallet } from './wallet.ts';
