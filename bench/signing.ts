/** Signatures per second on each chain, compared with its official SDK. The two alternate, so that both run under the same load. */
import { Wallet } from 'ethers';
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import { table } from '../scripts/sizes.ts';
import { loadChain, loadPayloads } from '../src/chains/load.ts';
import { CHAIN_NAMES } from '../src/chains/secret-type.ts';
import { median } from './median.ts';
import { PEERS } from './peers.ts';
import { fundedWallet, prepareTransfer } from './wallet.ts';

const TURNS = 9;
/** Milliseconds. */
const TURN = 150;

async function rate(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let signatures = 0;
  for (let now = started; now - started < TURN; now = performance.now()) {
    await work();
    signatures++;
  }
  return (signatures * 1000) / (performance.now() - started);
}

async function compare(
  name: string,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
  peer: string,
): Promise<string[]> {
  const turns: { ours: number; theirs: number }[] = [];
  // The first turn warms up.
  for (let turn = 0; turn <= TURNS; turn++) {
    const both = { ours: await rate(ours), theirs: await rate(theirs) };
    if (turn > 0) turns.push(both);
  }
  return [
    name,
    median(turns.map((both) => both.ours)).toFixed(0),
    median(turns.map((both) => both.theirs)).toFixed(0),
    peer,
    // The median of the turns' ratios, not the ratio of two medians: only within a turn is the load the same.
    median(turns.map((both) => both.ours / both.theirs)).toFixed(2),
  ];
}

async function transaction(local: LocalNetwork): Promise<string[]> {
  const { network } = local;
  const chain = await loadChain(network.secretType);
  const wallet = await fundedWallet(chain, local);
  const draft = await prepareTransfer(wallet, chain.node(network));
  const { raw } = await chain.sign(draft, wallet.key);
  const name = CHAIN_NAMES[network.secretType];
  const peer = PEERS[network.secretType];
  if (!peer) throw new Error(`${name} is not compared: give it a peer in bench/peers.ts.`);
  const theirs = peer.signer(draft, wallet.key, raw, chain);
  if ((await theirs()) !== raw) throw new Error(`${peer.name} signs something else.`);
  return compare(name, () => chain.sign(draft, wallet.key), theirs, peer.name);
}

async function message(): Promise<string[]> {
  const chain = await loadChain('ETHEREUM');
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  const key = await chain.importKey(wallet.privateKey);
  const text = 'Sign in to the demo';
  const { parseSigning } = await loadPayloads('ETHEREUM');
  const request = parseSigning({
    type: 'ETHEREUM_TRANSACTION',
    walletId: 'bench',
    data: `0x${Buffer.from(text).toString('hex')}`,
  });
  return compare(
    'Ethereum, a message',
    () => chain.signData!(request, key),
    () => wallet.signMessage(text),
    PEERS.ETHEREUM!.name,
  );
}

export async function signing(networks: readonly LocalNetwork[]): Promise<string> {
  const rows: string[][] = [];
  for (const local of networks) rows.push(await transaction(local));
  rows.push(await message());
  return table(['signatures a second', 'ours', 'theirs', 'who', 'ours / theirs (≥ 0.9)'], rows);
}
