export { createSwap, type Parties } from './create.ts';
export { explain } from './failures.ts';
export type { Reach } from './market.ts';
export { swapPairs } from './pairs.ts';
export { type ReachOf, swapRates } from './rates.ts';
