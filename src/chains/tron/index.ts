import type { Chain, SigningScene } from '../chain.ts';
import { loadOnce } from '../modules.ts';
import { address, deriveKey, exportKey, importKey } from './account.ts';
import { isAddress } from './address.ts';
import { balance, tokenBalances } from './balances.ts';
import { broadcast, receipt, status } from './broadcast.ts';
import { describe } from './describe.ts';
import { COIN, type TronDraft } from './draft.ts';
import { sign } from './envelope.ts';
import { unlistedLabel } from '../contracts/token-facts.ts';
import { tokenAt } from './contract-reads.ts';
import { clientOf } from './node.ts';
import type { TronRequest, TronSignRequest } from './payload.ts';
import { prepare } from './transaction.ts';

export type { TronDraft } from './draft.ts';

/** Loaded when a message is to be signed. */
const signing = loadOnce(() => import('./sign-message.ts'));

export const chain = {
  secretType: 'TRON',
  coin: COIN,
  gasCoin: COIN,
  slip44: 195,
  isAddress,
  deriveKey,
  importKey,
  exportKey,
  address,
  node: (network, options = {}) => clientOf(network, options),
  prepare,
  describe,
  sign,
  broadcast,
  status,
  receipt,
  balance,
  tokenBalances,
  async token(address, node) {
    const { tokens } = node.network;
    const token = await tokenAt(address, node);
    return tokens.includes(token)
      ? token
      : { ...token, symbol: unlistedLabel(token.symbol, address, tokens).symbol };
  },
  // Not loaded for an approval.
  build: async (...asked) => (await import('./build.ts')).build(...asked),
  handover: () => import('./handover.ts'),
  isSignedBy: async (...asked) => (await import('./handover.ts')).isSignedBy(...asked),
  incoming: () => import('./incoming.ts'),
  maxSpendable: async (...asked) => (await import('./max-spendable.ts')).maxSpendable(...asked),
  describeSigning: async (request, _from, _node, _known, scene?: SigningScene) =>
    (await signing()).describeSigning(request, scene),
  signData: async (request, key) => (await signing()).signMessage(request, key),
} satisfies Chain<TronDraft, TronRequest, TronSignRequest>;
