import { ConnectError } from '../../base/errors.ts';
import type { Chain, SigningScene } from '../chain.ts';
import { loadOnce } from '../modules.ts';
import { address, deriveKey, exportKey } from './account.ts';
import { isAddress } from './address.ts';
import { describe } from './describe.ts';
import { type AeternityDraft, COIN } from './draft.ts';
import { balance, broadcast, isOvertaken, nodeOf, receipt, status } from './node.ts';
import type { AeternityRequest, AeternitySignRequest } from './payload.ts';
import { claims, maxSpendable, prepare, sign } from './transaction.ts';

export type { AeternityDraft } from './draft.ts';

/** Loaded when a message is to be signed. */
const signing = loadOnce(() => import('./sign-message.ts'));

export const chain = {
  secretType: 'AETERNITY',
  coin: COIN,
  gasCoin: COIN,
  slip44: 457,
  isAddress,
  deriveKey,
  // Loaded on demand: approvals do not need it.
  importKey: async (text: string, password?: string) =>
    (await import('./import-key.ts')).importKey(text, password),
  exportKey,
  address,
  node: (network, options = {}) => nodeOf(network, options),
  prepare,
  describe,
  claims,
  sign,
  broadcast,
  isOvertaken,
  status,
  receipt,
  balance,
  tokenBalances: async () => [],
  async token() {
    throw new ConnectError('chain.not-supported', 'Aeternity is supported without its tokens.');
  },
  build: async (body) => (await import('./build.ts')).build(body),
  handover: () => import('./handover.ts'),
  incoming: () => import('./incoming.ts'),
  replace: async (draft, how, node) => (await import('./replace.ts')).replace(draft, how, node),
  maxSpendable,
  describeSigning: async (request, _from, _node, _known, scene?: SigningScene) =>
    (await signing()).describeSigning(request, scene),
  signData: async (request, key) => (await signing()).signMessage(request, key),
} satisfies Chain<AeternityDraft, AeternityRequest, AeternitySignRequest>;
