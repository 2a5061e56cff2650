import { utxoPayloads } from '../utxo/payload.ts';
import { LITECOIN } from './params.ts';

export const payloads = utxoPayloads(LITECOIN);
