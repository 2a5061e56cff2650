import * as z from 'zod/mini';
import { CONTRACT_CHAINS, type ContractChain, SECRET_TYPES } from '../chains/secret-type.ts';

export const SecretTypeSchema = z.enum(SECRET_TYPES);

/** The chains whose payments the service can follow. */
export const RECEIVING_CHAINS = [...CONTRACT_CHAINS, 'AETERNITY', 'TRON'] as const;
export type ReceivingChain = ContractChain | 'AETERNITY' | 'TRON';
