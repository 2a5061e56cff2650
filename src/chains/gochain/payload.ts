import { evmPayloads } from '../evm/evm-payload.ts';
import { GOCHAIN } from './profile.ts';

export const payloads = evmPayloads(GOCHAIN);
