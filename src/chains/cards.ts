/** The chains, by their names in the API. A chain is a folder and a line here. */
export { card as AETERNITY } from './aeternity/card.ts';
export { card as BITCOIN } from './bitcoin/card.ts';
export { card as ETHEREUM } from './ethereum/card.ts';
export { card as GOCHAIN } from './gochain/card.ts';
export { card as LITECOIN } from './litecoin/card.ts';
export { card as TRON } from './tron/card.ts';
export { card as VECHAIN } from './vechain/card.ts';
