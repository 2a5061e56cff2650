export { createSwap, type Parties } from './create.ts';
export { crossChainOf } from './cross-chain/exchange.ts';
export { explain } from './failures.ts';
export type { Reach } from './market.ts';
export { swapPairs } from './pairs.ts';
export { type ReachOf, swapRates } from './rates.ts';
