import { utxoPayloads } from '../utxo/utxo-payload.ts';
import { BITCOIN } from './params.ts';

export const payloads = utxoPayloads(BITCOIN);
