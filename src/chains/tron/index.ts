import type { Chain } from '../chain.ts';
import { address, deriveKey, exportKey, importKey } from './account.ts';
import { isAddress } from './address.ts';
import { balance, tokenBalances } from './balances.ts';
import { broadcast, receipt, status } from './broadcast.ts';
import { build } from './build.ts';
import { describe } from './describe.ts';
import { COIN, type TronDraft } from './draft.ts';
import { sign } from './envelope.ts';
import { unlistedLabel } from '../contracts/token-facts.ts';
import { clientOf, tokenAt } from './node.ts';
import type { TronRequest } from './payload.ts';
import { prepare } from './transaction.ts';

export type { TronDraft } from './draft.ts';

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
    const found = await tokenAt(address, node);
    return tokens.includes(found)
      ? found
      : { ...found, symbol: unlistedLabel(found.symbol, address, tokens).symbol };
  },
  build,
  maxSpendable: async (...asked) => (await import('./max-spendable.ts')).maxSpendable(...asked),
} satisfies Chain<TronDraft, TronRequest>;
