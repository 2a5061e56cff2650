/** Node round trips of a wallet's token balances, by the number of tokens that the network lists. */
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import { table } from '../scripts/sizes.ts';
import { CHAIN_NAMES, loadChain } from '../src/chains/index.ts';
import type { Token } from '../src/chains/network.ts';
import { type Count, startCounter } from './counter.ts';

/** The requests of a client that has already checked its node, and the raw balances. The listed tokens are repeated up to `many`. */
export async function countTokenReads(
  { network }: LocalNetwork,
  owner: string,
  many: number,
): Promise<{ count: Count; balances: string[] }> {
  const chain = await loadChain(network.secretType);
  const counter = await startCounter(network.nodes[0]!);
  try {
    const node = chain.node({ ...network, nodes: [counter.url] });
    await chain.balance(owner, node);
    const contracts = network.tokens.filter(({ address }) => !/^\d+$/.test(address));
    const tokens: Token[] = Array.from({ length: many }, (_, i) => contracts[i % contracts.length]!);
    const { count, result } = await counter.during(() => chain.tokenBalances(owner, tokens, node));
    return { count, balances: result.map(({ rawBalance }) => rawBalance) };
  } finally {
    await counter.close();
  }
}

export const TOKEN_COUNTS = [1, 10, 100];

export async function tokenReads(networks: readonly LocalNetwork[]): Promise<string> {
  const rows: string[][] = [];
  for (const local of networks) {
    if (local.network.tokens.length === 0) continue;
    const { secretType, kind } = local.network;
    const chain = await loadChain(secretType);
    const owner = await chain.address(await chain.deriveKey(new Uint8Array(64).fill(7), 0), kind);
    const requests: string[] = [];
    for (const many of TOKEN_COUNTS)
      requests.push(String((await countTokenReads(local, owner, many)).count.requests));
    rows.push([CHAIN_NAMES[secretType], ...requests]);
  }
  return table(['requests to the node for', ...TOKEN_COUNTS.map((many) => `${many} tokens`)], rows);
}
