/** The sources of prices for people to read, one line each, under the name that `fiat` in `networks.json` uses. */
export { coingecko } from './sources/coingecko.ts';
export { http } from './sources/http.ts';
