import { utxoPayloads } from '../utxo/utxo-payload.ts';
import { LITECOIN } from './params.ts';

export const payloads = utxoPayloads(LITECOIN);
