import type { NativeBalance, TokenBalance } from '../../api/wallet.ts';
import { nativeBalance, tokenBalance } from '../balances.ts';
import type { Node } from '../chain.ts';
import type { Token } from '../network.ts';
import { readBalance, readTokenBalance } from './node.ts';
import type { EvmProfile } from './profile.ts';

export async function balance(
  address: string,
  node: Node,
  { secretType, coin }: EvmProfile,
): Promise<NativeBalance> {
  return nativeBalance(secretType, coin, await readBalance(node, address));
}

/** One batch. */
export function tokenBalances(
  address: string,
  tokens: readonly Token[],
  node: Node,
  { tokenStandard }: EvmProfile,
): Promise<TokenBalance[]> {
  return Promise.all(
    tokens.map(async (token) =>
      tokenBalance(token, await readTokenBalance(node, token.address, address), tokenStandard),
    ),
  );
}
