import { utxoChain } from '../utxo/chain.ts';
import { BITCOIN } from './params.ts';

export const chain = utxoChain(BITCOIN);
