import { evmChain } from '../evm/evm-chain.ts';
import { payloads } from './payload.ts';
import { GOCHAIN } from './profile.ts';

export const chain = evmChain(GOCHAIN, payloads);
