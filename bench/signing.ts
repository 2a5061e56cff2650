/** Signatures in a second, beside ethers' Wallet. Both take turns, so that both meet the same machine. */
import { Wallet } from 'ethers';
import type { LocalEthereum } from '../demo/networks/ethereum.ts';
import { table } from '../scripts/sizes.ts';
import type { EthereumDraft } from '../src/chains/ethereum/draft.ts';
import { loadChain } from '../src/chains/index.ts';
import { median } from './median.ts';

const TURNS = 9;
const SIGNATURES = 200;

async function rate(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < SIGNATURES; i++) await work();
  return (SIGNATURES * 1000) / (performance.now() - started);
}

async function compare(
  name: string,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
): Promise<string[]> {
  const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    rates.ours.push(await rate(ours));
    rates.theirs.push(await rate(theirs));
  }
  const [mine, other] = [median(rates.ours), median(rates.theirs)];
  return [name, mine.toFixed(0), other.toFixed(0), (mine / other).toFixed(2)];
}

export async function signing(ethereum: LocalEthereum): Promise<string> {
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  await ethereum.give('ETH', wallet.address);
  const chain = await loadChain('ETHEREUM');
  const key = await chain.importKey(wallet.privateKey);
  const to = Wallet.createRandom().address;
  const request = { type: 'ETH_TRANSACTION', walletId: 'bench', to, value: '1' };
  const draft = (await chain.prepare(request, wallet.address, chain.node(ethereum.network), {
    used: [],
    own: [],
    reported: [],
  })) as EthereumDraft;
  const [{ Transaction }, { raw }] = [await import('ethers'), await chain.sign(draft, key)];
  const { type, chainId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, value } = Transaction.from(raw);
  const transaction = { type, chainId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, value, to };
  if ((await wallet.signTransaction(transaction)) !== raw) throw new Error('ethers signs something else.');
  const message = 'Sign in to the demo';
  const data = `0x${Buffer.from(message).toString('hex')}`;
  return table(
    ['signatures a second', 'ours', 'ethers', 'ours / ethers'],
    [
      await compare(
        'transaction',
        () => chain.sign(draft, key),
        () => wallet.signTransaction(transaction),
      ),
      await compare(
        'message',
        () => chain.signData({ type: 'ETHEREUM_TRANSACTION', walletId: 'bench', data }, key),
        () => wallet.signMessage(message),
      ),
    ],
  );
}
