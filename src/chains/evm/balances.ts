import type { NativeBalance, TokenBalance } from '../answers.ts';
import { eachBalance, tokenBalance } from '../contracts/token-balances.ts';
import { nativeBalance } from '../nodes/balances.ts';
import type { Node } from '../terms.ts';
import type { Token } from '../network.ts';
import { coinOf } from '../secret-type.ts';
import { readBalance, readTokenBalance } from './node.ts';
import type { EvmProfile } from './profile.ts';

export async function balance(
  address: string,
  node: Node,
  { secretType }: EvmProfile,
): Promise<NativeBalance> {
  return nativeBalance(secretType, coinOf(node.network), await readBalance(node, address));
}

/** A batch size that any node accepts. */
const FEW = 20;

/** One round trip. */
export async function tokenBalances(
  address: string,
  tokens: readonly Token[],
  node: Node,
  { tokenStandard }: EvmProfile,
): Promise<TokenBalance[]> {
  const all =
    tokens.length > FEW
      ? import('./many-balances.ts').then(({ manyBalances }) => manyBalances(address, tokens, node))
      : undefined;
  return eachBalance(tokens, async (token, i) => {
    const balances = all && (await all);
    return tokenBalance(
      token,
      balances ? balances[i] : await readTokenBalance(node, token.address, address),
      tokenStandard,
    );
  });
}
