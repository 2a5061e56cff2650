import { evmChain } from '../evm/evm-chain.ts';
import { GOCHAIN } from './profile.ts';

export const chain = evmChain(GOCHAIN);
