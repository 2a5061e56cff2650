/** The sources of prices for display, one line each, by the name that `fiat` in `networks.json` uses. */
export { coingecko } from './sources/coingecko.ts';
export { http } from './sources/http.ts';
