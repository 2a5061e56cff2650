import { evmPayloads } from '../evm/payload.ts';
import { GOCHAIN } from './profile.ts';

export const payloads = evmPayloads(GOCHAIN);
