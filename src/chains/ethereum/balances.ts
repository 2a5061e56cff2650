import type { NativeBalance, TokenBalance } from '../../api/wallet.ts';
import { toNumber } from '../amount.ts';
import type { Node } from '../chain.ts';
import type { Token } from '../network.ts';
import { COIN } from './draft.ts';
import { readBalance, readTokenBalance } from './node.ts';

export async function balance(address: string, node: Node): Promise<NativeBalance> {
  const raw = await readBalance(node, address);
  const coins = toNumber(raw, COIN.decimals);
  return {
    available: true,
    secretType: 'ETHEREUM',
    balance: coins,
    gasBalance: coins,
    symbol: COIN.symbol,
    gasSymbol: COIN.symbol,
    rawBalance: raw.toString(),
    rawGasBalance: raw.toString(),
    decimals: COIN.decimals,
  };
}

/** One batch. A contract that tells no balance is shown with none. */
export function tokenBalances(
  address: string,
  tokens: readonly Token[],
  node: Node,
): Promise<TokenBalance[]> {
  return Promise.all(
    tokens.map(async (token) => {
      const raw = (await readTokenBalance(node, token.address, address)) ?? 0n;
      return {
        tokenAddress: token.address,
        rawBalance: raw.toString(),
        balance: toNumber(raw, token.decimals),
        decimals: token.decimals,
        symbol: token.symbol,
        logo: token.logo,
        type: 'ERC20',
        transferable: true,
      };
    }),
  );
}
