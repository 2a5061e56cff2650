import { utxoPayloads } from '../utxo/payload.ts';
import { BITCOIN } from './params.ts';

export const payloads = utxoPayloads(BITCOIN);
