/** What asks a chain's nodes for arrivals at an address. Each is loaded on demand. */
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { FindIncoming } from '../../src/chains/incoming/incoming.ts';

/** Chains without a line here have no node that could answer. */
export const FINDERS: Readonly<Partial<Record<SecretType, () => Promise<{ findIncoming: FindIncoming }>>>> = {
  AETERNITY: () => import('../../src/chains/aeternity/incoming.ts'),
  BITCOIN: () => import('../../src/chains/utxo/incoming.ts'),
  ETHEREUM: () => import('../../src/chains/evm/incoming.ts'),
  GOCHAIN: () => import('../../src/chains/evm/incoming.ts'),
  LITECOIN: () => import('../../src/chains/utxo/incoming.ts'),
  TRON: () => import('../../src/chains/tron/incoming.ts'),
  VECHAIN: () => import('../../src/chains/vechain/incoming.ts'),
};
