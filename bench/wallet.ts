/** A wallet with coins on a local network, and a transfer from it. */
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import type { Chain } from '../src/chains/chain.ts';
import type { Draft, Node } from '../src/chains/terms.ts';
import { loadPayloads } from '../src/chains/index.ts';
import type { Token } from '../src/chains/network.ts';

export interface BenchWallet {
  chain: Chain;
  local: LocalNetwork;
  key: Uint8Array;
  address: string;
}

/** Also with some of `token`, if given. */
export async function fundedWallet(chain: Chain, local: LocalNetwork, token?: Token): Promise<BenchWallet> {
  const key = newKey();
  const address = await chain.address(key, local.network.kind);
  const wanted = new Set([chain.coin.symbol, chain.gasCoin.symbol, token?.symbol]);
  for (const asset of local.assets) if (wanted.has(asset)) await local.give(asset, address);
  return { chain, local, key, address };
}

/** To an unused address. */
export async function prepareTransfer(wallet: BenchWallet, node: Node, token?: Token): Promise<Draft> {
  const { chain, local, address } = wallet;
  const { secretType, kind } = local.network;
  const to = await chain.address(newKey(), kind);
  const request = { type: 'TRANSFER', secretType, walletId: 'bench', to, value: '0.01' };
  const { parse } = await loadPayloads(secretType);
  return chain.prepare(
    parse(token ? { ...request, type: 'TOKEN_TRANSFER', tokenAddress: token.address } : request),
    address,
    node,
    { used: [], own: [], reported: [] },
  );
}

function newKey(): Uint8Array {
  const key = crypto.getRandomValues(new Uint8Array(32));
  // Below the order of both curves.
  key[0] = 1;
  return key;
}
