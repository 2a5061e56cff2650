/** npm export `carabiner/chains`: one lazy chunk a chain. A chain is added by its folder and a line in each table. */
import { ConnectError } from '../errors.ts';
import type { Chain } from './chain.ts';
import type { Payloads } from './payloads.ts';
import { CHAIN_NAMES, type SecretType } from './secret-type.ts';

export { AmountError, formatAmount, parseUnits, roundAmount } from './amount.ts';
export type * from './chain.ts';
export type { Network, Networks, Token } from './network.ts';
export type { Payloads } from './payloads.ts';
export { CHAIN_NAMES, SECRET_TYPES, type SecretType } from './secret-type.ts';
export { secretTypeOf } from './transaction-types.ts';

const CHAINS: { [S in SecretType]?: () => Promise<{ chain: Chain }> } = {
  ETHEREUM: () => import('./ethereum/index.ts'),
};

const PAYLOADS: { [S in SecretType]?: () => Promise<{ payloads: Payloads }> } = {
  ETHEREUM: () => import('./ethereum/payload.ts'),
};

/** Signer, node client and everything else of a chain. Rejects with `chain.not-supported`. */
export async function loadChain(secretType: SecretType): Promise<Chain> {
  return (await entry(CHAINS, secretType)()).chain;
}

/** Only the schemas of a chain's payloads. Rejects with `chain.not-supported`. */
export async function loadPayloads(secretType: SecretType): Promise<Payloads> {
  return (await entry(PAYLOADS, secretType)()).payloads;
}

function entry<T>(table: { [S in SecretType]?: T }, secretType: SecretType): T {
  const found = Object.hasOwn(table, secretType) ? table[secretType] : undefined;
  if (found) return found;
  throw new ConnectError(
    'chain.not-supported',
    `${CHAIN_NAMES[secretType] ?? secretType} is not supported yet. Supported: ${Object.keys(table).join(', ')}.`,
    { secretType },
  );
}
