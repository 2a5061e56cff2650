/** The kinds of exchange. Each is a folder and a line here. */
export { entry as uniswapV2 } from './exchanges/uniswap-v2/entry.ts';
export { entry as uniswapV3 } from './exchanges/uniswap-v3/entry.ts';
