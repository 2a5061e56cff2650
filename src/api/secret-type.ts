import * as z from 'zod/mini';
import { SECRET_TYPES, type SecretType } from '../chains/secret-type.ts';

export const SecretTypeSchema = z.enum(SECRET_TYPES);

/** The chains on which an account's payments go to one address. */
export const ADDRESS_CHAINS = [
  'ETHEREUM',
  'GOCHAIN',
  'VECHAIN',
  'AETERNITY',
  'TRON',
] as const satisfies SecretType[];
export type AddressChain = (typeof ADDRESS_CHAINS)[number];

/** The chains on which every session has an address of its own, of an extended public key. */
export const KEY_CHAINS = ['BITCOIN', 'LITECOIN'] as const satisfies SecretType[];
export type KeyChain = (typeof KEY_CHAINS)[number];

/** The chains whose payments the service can follow. */
export const RECEIVING_CHAINS = [...ADDRESS_CHAINS, ...KEY_CHAINS] as const;
export type ReceivingChain = (typeof RECEIVING_CHAINS)[number];
