/** What only swaps need, bundled into one file. */
export { createSwap } from './create-swap.ts';
export { swapOutcome } from './swap-outcome.ts';
export { swapPairs } from './swap-pairs.ts';
export { swapRates } from './swap-rates.ts';
export { transactionUrl } from './transaction-url.ts';
