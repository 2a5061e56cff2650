import type { NativeBalance, TokenBalance } from '../answers/answers.ts';
import { nativeBalance, tokenBalance } from '../nodes/balances.ts';
import type { Node } from '../chain.ts';
import type { Token } from '../network.ts';
import { COIN } from './draft.ts';
import { isAssetId } from './fields.ts';
import { readAccount, readTokenBalance } from './node.ts';

/** An address without an account has 0. */
export async function balance(address: string, node: Node): Promise<NativeBalance> {
  return nativeBalance('TRON', COIN, (await readAccount(node, address)).balance);
}

/** One round trip. The account lists every TRC-10 balance. */
export async function tokenBalances(
  address: string,
  tokens: readonly Token[],
  node: Node,
): Promise<TokenBalance[]> {
  const contracts = tokens.map((token) => token.address).filter((token) => !isAssetId(token));
  const [account, balances] = await Promise.all([
    contracts.length < tokens.length ? readAccount(node, address) : undefined,
    contractBalances(address, contracts, node),
  ]);
  return tokens.map((token) =>
    isAssetId(token.address)
      ? tokenBalance(token, account?.assets[token.address], 'TRC10')
      : tokenBalance(token, balances.get(token.address), 'TRC20'),
  );
}

async function contractBalances(
  owner: string,
  contracts: readonly string[],
  node: Node,
): Promise<ReadonlyMap<string, bigint | undefined>> {
  if (contracts.length > 1) return (await import('./many-balances.ts')).manyBalances(owner, contracts, node);
  const [token] = contracts;
  return new Map(token === undefined ? [] : [[token, await readTokenBalance(node, token, owner)]]);
}
