import type { NativeBalance, TokenBalance } from '../../api/wallet.ts';
import { nativeBalance, tokenBalance } from '../balances.ts';
import type { Node } from '../chain.ts';
import type { Token } from '../network.ts';
import { COIN } from './draft.ts';
import { isAssetId } from './fields.ts';
import { readAccount, readTokenBalance } from './node.ts';

/** An address without an account has 0. */
export async function balance(address: string, node: Node): Promise<NativeBalance> {
  return nativeBalance('TRON', COIN, (await readAccount(node, address)).balance);
}

/** One round. The account tells every TRC-10 balance. */
export async function tokenBalances(
  address: string,
  tokens: readonly Token[],
  node: Node,
): Promise<TokenBalance[]> {
  const account = tokens.some((token) => isAssetId(token.address)) ? readAccount(node, address) : undefined;
  return Promise.all(
    tokens.map(async (token) => {
      if (isAssetId(token.address))
        return tokenBalance(token, (await account)?.assets[token.address], 'TRC10');
      return tokenBalance(token, await readTokenBalance(node, token.address, address), 'TRC20');
    }),
  );
}
