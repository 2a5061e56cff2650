/** Node round trips of a transfer, on each local network, compared with ethers' `sendTransaction` on Ethereum. */
import { hexlify, JsonRpcProvider, parseEther, Wallet } from 'ethers';
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import { table } from '../scripts/sizes.ts';
import { CHAIN_NAMES, loadChain } from '../src/chains/index.ts';
import type { Token } from '../src/chains/network.ts';
import { type Count, startCounter } from './counter.ts';
import { fundedWallet, prepareTransfer } from './wallet.ts';

const cells = ({ rounds, requests }: Count): string[] => [String(rounds), String(requests)];

/** A transfer of the coin, or of `token` if given. */
async function transfer(local: LocalNetwork, token?: Token): Promise<string[]> {
  const { network } = local;
  const chain = await loadChain(network.secretType);
  const wallet = await fundedWallet(chain, local, token);
  const counter = await startCounter(network.nodes[0]!);
  try {
    const node = chain.node({ ...network, nodes: [counter.url] });
    const prepared = await counter.during(() => prepareTransfer(wallet, node, token));
    const signed = await chain.sign(prepared.result, wallet.key);
    const sent = await counter.during(() => chain.broadcast(signed, node));
    return [
      `${CHAIN_NAMES[network.secretType]}, ${token?.symbol ?? chain.coin.symbol}`,
      ...cells(prepared.count),
      ...cells(sent.count),
    ];
  } finally {
    await counter.close();
  }
}

async function ethersTransfer(local: LocalNetwork): Promise<string[]> {
  const { key } = await fundedWallet(await loadChain('ETHEREUM'), local);
  const counter = await startCounter(local.network.nodes[0]!);
  const provider = new JsonRpcProvider(counter.url);
  try {
    const wallet = new Wallet(hexlify(key), provider);
    const to = Wallet.createRandom().address;
    const { count } = await counter.during(() => wallet.sendTransaction({ to, value: parseEther('0.01') }));
    return ['Ethereum, ETH, by ethers sendTransaction', ...cells(count), '', ''];
  } finally {
    provider.destroy();
    await counter.close();
  }
}

export async function rounds(networks: readonly LocalNetwork[]): Promise<string> {
  const rows: string[][] = [];
  for (const local of networks) {
    rows.push(await transfer(local));
    const [token] = local.network.tokens;
    if (token) rows.push(await transfer(local, token));
    if (local.network.secretType === 'ETHEREUM') rows.push(await ethersTransfer(local));
  }
  return table(
    ['asked of the node', 'rounds before the approval (≤ 2)', 'requests', 'after the PIN (≤ 1)', 'requests'],
    rows,
  );
}
