import type { Chain, SigningScene } from '../chain.ts';
import { loadOnce } from '../modules.ts';
import { NOTHING_KNOWN } from '../approval/known.ts';
import { worsened } from '../contracts/trial-runs.ts';
import { hexOf } from '../../base/bytes.ts';
import { address, prepare, sign } from './transaction.ts';
import { isAddress } from './address.ts';
import { describe } from './describe.ts';
import { COIN, GAS_COIN, type VechainDraft } from './draft.ts';
import { balance, nodeOf, readAccount, token, tokenBalances } from './node.ts';
import { broadcast, receipt, status } from './outcome.ts';
import type { VechainRequest, VechainSignRequest } from './payload.ts';

export type { VechainDraft } from './draft.ts';

/** Loaded when data is to be signed: the approval of a transaction does not need it. */
const signing = loadOnce(() => import('./sign-data.ts'));

/** A transaction cannot be replaced: its nonce is only a random number. */
export const chain = {
  secretType: 'VECHAIN',
  coin: COIN,
  gasCoin: GAS_COIN,
  slip44: 818,
  isAddress,
  // Not loaded for an approval.
  async deriveKey(seed, index) {
    const { deriveSecp256k1, readIndex } = await import('../keys/derivation.ts');
    return deriveSecp256k1(seed, `m/44'/818'/0'/0/${readIndex(index)}`);
  },
  importKey: async (text: string, password?: string) =>
    (await import('../keys/hex-key.ts')).importKey(text, password),
  exportKey: hexOf,
  address,
  node: (network, options = {}) => nodeOf(network, options),
  prepare,
  describe,
  worsened,
  sign,
  broadcast,
  status,
  receipt,
  balance,
  tokenBalances,
  token,
  // Not loaded for an approval.
  build: async (...asked) => (await import('./build.ts')).build(...asked),
  isSignedBy: async (...asked) => (await import('./certificate.ts')).isSignedBy(...asked),
  /** All of it: the fee is in VTHO. */
  incoming: () => import('./incoming.ts'),
  maxSpendable: async (from, _to, node) => (await readAccount(node, from)).vet,
  describeSigning: async (request, from, node, known = NOTHING_KNOWN, scene?: SigningScene) =>
    (await signing()).describeSigning(request, from, node, known, scene),
  signData: async (...asked) => (await signing()).signData(...asked),
} satisfies Chain<VechainDraft, VechainRequest, VechainSignRequest>;
