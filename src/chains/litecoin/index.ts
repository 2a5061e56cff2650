import { utxoChain } from '../utxo/chain.ts';
import { LITECOIN } from './params.ts';

export const chain = utxoChain(LITECOIN);
