import { utxoOutflow } from '../utxo/utxo-outflow.ts';
import { LITECOIN } from './params.ts';

export const readOutflow = utxoOutflow(LITECOIN);
