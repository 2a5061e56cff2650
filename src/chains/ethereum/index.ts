import type { Chain } from '../chain.ts';
import { JsonRpc } from '../json-rpc.ts';
import { address, deriveKey, exportKey, importKey } from './account.ts';
import { isAddress } from './address.ts';
import { balance, tokenBalances } from './balances.ts';
import { build } from './build.ts';
import { describe } from './describe.ts';
import { COIN, type EthereumDraft } from './draft.ts';
import { broadcast, receipt, status, tokenAt } from './node.ts';
import { describeSigning, signData } from './sign-data.ts';
import { prepare, replace, sign } from './transaction.ts';

export type { EthereumDraft } from './draft.ts';

export const chain: Chain<EthereumDraft> = {
  secretType: 'ETHEREUM',
  coin: COIN,
  gasCoin: COIN,
  slip44: 60,
  isAddress,
  deriveKey,
  importKey,
  exportKey,
  address,
  node: (network) => new JsonRpc(network),
  prepare,
  describe,
  sign,
  broadcast,
  status,
  receipt,
  balance,
  tokenBalances,
  token: tokenAt,
  build,
  replace,
  describeSigning,
  signData,
};
