import { evmPayloads } from '../evm/payload.ts';
import { ETHEREUM } from './profile.ts';

export const payloads = evmPayloads(ETHEREUM);
