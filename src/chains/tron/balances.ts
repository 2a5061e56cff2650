import type { NativeBalance, TokenBalance } from '../answers.ts';
import { eachBalance, tokenBalance } from '../contracts/token-balances.ts';
import { nativeBalance } from '../nodes/balances.ts';
import type { Node } from '../terms.ts';
import type { Token } from '../network.ts';
import { COIN } from './draft.ts';
import { isAssetId } from './fields.ts';
import { readShownBalance } from './contract-reads.ts';
import { readAccount } from './node.ts';

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
  const account = contracts.length < tokens.length ? readAccount(node, address) : undefined;
  const balances = contractBalances(address, contracts, node);
  return eachBalance(tokens, async (token) =>
    isAssetId(token.address)
      ? tokenBalance(token, (await account)?.assets[token.address], 'TRC10')
      : tokenBalance(token, (await balances).get(token.address), 'TRC20'),
  );
}

async function contractBalances(
  owner: string,
  contracts: readonly string[],
  node: Node,
): Promise<ReadonlyMap<string, bigint | undefined>> {
  if (contracts.length > 1) return (await import('./many-balances.ts')).manyBalances(owner, contracts, node);
  const [token] = contracts;
  return new Map(token === undefined ? [] : [[token, await readShownBalance(node, token, owner)]]);
}
