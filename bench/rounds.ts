/** How often a transfer goes to the node, beside ethers' `sendTransaction` on the same node. */
import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import type { LocalEthereum } from '../demo/networks/ethereum.ts';
import { table } from '../scripts/sizes.ts';
import { loadChain } from '../src/chains/index.ts';

const NOBODY = { used: [], own: [], reported: [] };

interface Count {
  rounds: number;
  requests: number;
  calls: number;
}

/** Runs `work` and counts what reached the node meanwhile. */
async function counted<T>(
  { node }: LocalEthereum,
  work: () => Promise<T>,
): Promise<{ count: Count; result: T }> {
  const before = { rounds: node.rounds, requests: node.requests.length };
  const result = await work();
  const requests = node.requests.slice(before.requests);
  return {
    result,
    count: { rounds: node.rounds - before.rounds, requests: requests.length, calls: requests.flat().length },
  };
}

function row(name: string, { rounds, requests, calls }: Count): string[] {
  return [name, String(rounds), String(requests), String(calls)];
}

export async function rounds(ethereum: LocalEthereum): Promise<string> {
  const wallet = Wallet.createRandom();
  await ethereum.give('ETH', wallet.address);
  const to = Wallet.createRandom().address;

  const chain = await loadChain('ETHEREUM');
  const node = chain.node(ethereum.network);
  const key = await chain.importKey(wallet.privateKey);
  const request = { type: 'TRANSFER', secretType: 'ETHEREUM', walletId: 'bench', to, value: '0.5' };
  const prepared = await counted(ethereum, () => chain.prepare(request, wallet.address, node, NOBODY));
  const sent = await counted(ethereum, async () =>
    chain.broadcast(await chain.sign(prepared.result, key), node),
  );

  const provider = new JsonRpcProvider(ethereum.node.url);
  const theirs = await counted(ethereum, () =>
    new Wallet(wallet.privateKey, provider).sendTransaction({ to, value: parseEther('0.5') }),
  );
  provider.destroy();
  return table(
    ['a transfer', 'rounds', 'HTTP requests', 'JSON-RPC calls'],
    [
      row('ours, before the approval', prepared.count),
      row('ours, after the PIN', sent.count),
      row('ethers sendTransaction', theirs.count),
    ],
  );
}
