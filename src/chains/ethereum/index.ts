export type { EvmDraft as EthereumDraft } from '../evm/draft.ts';
import { evmChain } from '../evm/evm-chain.ts';
import { ETHEREUM } from './profile.ts';

export const chain = evmChain(ETHEREUM);
