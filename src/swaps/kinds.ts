/** The kinds of exchange there are. One is its folder and a line here. */
export { entry as uniswapV2 } from './exchanges/uniswap-v2/entry.ts';
export { entry as uniswapV3 } from './exchanges/uniswap-v3/entry.ts';
