/** Wallets of Bitcoin and Litecoin with more coins than one transaction spends. */
import { randomBytes } from 'node:crypto';
import type { LocalUtxo } from '../demo/networks/esplora.ts';
import { loadChain, loadPayloads } from '../src/chains/index.ts';
import type { UtxoDraft } from '../src/chains/utxo/draft.ts';

/** Gives an address this many coins of `amount` satoshi each, by one transaction that is in a block. */
export async function giveCoins(
  { network, fund, mine }: LocalUtxo,
  address: string,
  count: number,
  amount: bigint,
): Promise<void> {
  const { secretType } = network;
  const [chain, { parse }] = await Promise.all([loadChain(secretType), loadPayloads(secretType)]);
  const [node, key] = [chain.node(network), new Uint8Array(randomBytes(32))];
  const from = await chain.address(key, 'local');
  const fee = 100_000n;
  await fund(from, amount * BigInt(count) + fee);
  const type = secretType === 'BITCOIN' ? 'BTC_TRANSACTION' : 'LTC_TRANSACTION';
  const request = parse({ type, walletId: 'giver', to: address, value: amount });
  const known = { used: [], own: [], reported: [] };
  const one = (await chain.prepare(request, from, node, known)) as UtxoDraft;
  const many = { ...one, fee, outputs: Array.from({ length: count }, () => one.outputs[0]!) };
  await chain.broadcast(await chain.sign(many, key), node);
  await mine();
}
