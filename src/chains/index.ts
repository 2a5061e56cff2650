/** npm export `carabiner/chains`: one lazy chunk a chain. A chain is added by its folder and a line in each table. */
import { ConnectError } from '../errors.ts';
import type { Chain, Draft } from './chain.ts';
import type { Payloads } from './payloads.ts';
import type { SecretType } from './secret-type.ts';

export { AmountError, formatAmount, parseUnits, roundAmount } from './amount.ts';
export type * from './chain.ts';
export type { Network, Networks, Token } from './network.ts';
export type { Payloads } from './payloads.ts';
export type * from './requests.ts';
export { CHAIN_NAMES, SECRET_TYPES, type SecretType } from './secret-type.ts';
export { secretTypeOf } from './transaction-types.ts';

// `any`: from here on, a chain's own types of requests are those of `Payloads` and `Chain` for any chain.
const CHAINS: Readonly<Record<SecretType, () => Promise<{ chain: Chain<Draft, any, any> }>>> = {
  BITCOIN: () => import('./bitcoin/index.ts'),
  ETHEREUM: () => import('./ethereum/index.ts'),
  GOCHAIN: () => import('./gochain/index.ts'),
  VECHAIN: () => import('./vechain/index.ts'),
  LITECOIN: () => import('./litecoin/index.ts'),
  TRON: () => import('./tron/index.ts'),
  AETERNITY: () => import('./aeternity/index.ts'),
};

const PAYLOADS: Readonly<Record<SecretType, () => Promise<{ payloads: Payloads<any, any> }>>> = {
  BITCOIN: () => import('./bitcoin/payload.ts'),
  ETHEREUM: () => import('./ethereum/payload.ts'),
  GOCHAIN: () => import('./gochain/payload.ts'),
  VECHAIN: () => import('./vechain/payload.ts'),
  LITECOIN: () => import('./litecoin/payload.ts'),
  TRON: () => import('./tron/payload.ts'),
  AETERNITY: () => import('./aeternity/payload.ts'),
};

/** Signer, node client and everything else of a chain. Rejects with `chain.not-supported`. */
export async function loadChain(secretType: SecretType): Promise<Chain> {
  return (await entry(CHAINS, secretType)()).chain;
}

/** Only the schemas of a chain's payloads. Rejects with `chain.not-supported`. */
export async function loadPayloads(secretType: SecretType): Promise<Payloads> {
  return (await entry(PAYLOADS, secretType)()).payloads;
}

/** The spec's parameters also name NEO, and callers without types may name anything. */
function entry<T>(table: Readonly<Record<SecretType, T>>, secretType: SecretType): T {
  if (Object.hasOwn(table, secretType)) return table[secretType];
  throw new ConnectError(
    'chain.not-supported',
    `${String(secretType)} is not supported. Supported: ${Object.keys(table).join(', ')}.`,
    { secretType },
  );
}
