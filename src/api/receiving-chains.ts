import { CONTRACT_CHAINS, type ContractChain } from '../chains/secret-type.ts';

/** The chains whose payments the service can follow. */
export const RECEIVING_CHAINS = CONTRACT_CHAINS;
export type ReceivingChain = ContractChain;
