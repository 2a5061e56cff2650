import { ConnectError } from '../../errors.ts';
import type { Chain } from '../chain.ts';
import { address, deriveKey, exportKey, importKey } from './account.ts';
import { isAddress } from './address.ts';
import { describe } from './describe.ts';
import { type AeternityDraft, COIN } from './draft.ts';
import { balance, broadcast, nodeOf, receipt, status } from './node.ts';
import type { AeternityRequest } from './payload.ts';
import { build, claims, maxSpendable, prepare, replace, sign } from './transaction.ts';

export type { AeternityDraft } from './draft.ts';

export const chain = {
  secretType: 'AETERNITY',
  coin: COIN,
  gasCoin: COIN,
  slip44: 457,
  isAddress,
  deriveKey,
  importKey,
  exportKey,
  address,
  node: (network, options = {}) => nodeOf(network, options),
  prepare,
  describe,
  claims,
  sign,
  broadcast,
  status,
  receipt,
  balance,
  tokenBalances: async () => [],
  async token() {
    throw new ConnectError('chain.not-supported', 'Aeternity is supported without its tokens.');
  },
  build,
  replace,
  maxSpendable,
} satisfies Chain<AeternityDraft, AeternityRequest>;
