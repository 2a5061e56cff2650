import { evmPayloads } from '../evm/evm-payload.ts';
import { ETHEREUM } from './profile.ts';

export const payloads = evmPayloads(ETHEREUM);
