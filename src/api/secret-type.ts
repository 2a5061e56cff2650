import * as z from 'zod/mini';
import { SECRET_TYPES, type SecretType } from '../chains/secret-type.ts';

export const SecretTypeSchema = z.enum(SECRET_TYPES);

/** The chains whose payments the service can follow. */
export const RECEIVING_CHAINS = [
  'ETHEREUM',
  'GOCHAIN',
  'VECHAIN',
  'AETERNITY',
  'TRON',
] as const satisfies SecretType[];
export type ReceivingChain = (typeof RECEIVING_CHAINS)[number];
