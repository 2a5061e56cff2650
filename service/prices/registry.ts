/** The sources of prices, one line each, under the name that `prices` in `networks.json` uses. */
export { oracle } from './oracle.ts';
export { token } from './token-prices.ts';
