import { utxoOutflow } from '../utxo/utxo-outflow.ts';
import { BITCOIN } from './params.ts';

export const readOutflow = utxoOutflow(BITCOIN);
