/** What one wallet holds, with Receive. */
import type { Chain, Node } from '../../chains/chain.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { receive } from './receive-flow.ts';
import type { Held } from './tokens-view.ts';

export async function tokens(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
): Promise<void> {
  const network = networkOf(frame.networks, wallet);
  const [{ TokensView }, { watchWorth }, chain] = await Promise.all([
    import('./tokens-view.ts'),
    import('../ui/worth.ts'),
    frame.chain(wallet.secretType),
  ]);
  const view = Object.assign(new TokensView(), { clock: frame.clock, wallet, network });
  const prices = watchWorth(frame, (worth) => (view.worth = worth));
  let last = 0;
  const load = async (): Promise<void> => {
    const turn = ++last;
    view.failed = false;
    try {
      const held = await heldBy(chain, wallet.address, chain.node(network));
      if (turn === last) view.held = held;
    } catch {
      // What was read before stays.
      if (turn === last) view.failed = true;
    }
  };
  try {
    void load();
    for (;;) {
      const { type } = await frame.stage
        .open(view, options)
        .next('cbf-receive', 'cbf-retry', 'cbf-settings-closed', 'cbf-back');
      if (type === 'cbf-back') return;
      if (type === 'cbf-receive') await receive(frame, vault, wallet, options);
      prices?.load();
      void load();
    }
  } finally {
    prices?.stop();
  }
}

/** Coins first, then the tokens in the order of `networks.json`, whose names and decimals count. */
async function heldBy(chain: Chain, address: string, node: Node): Promise<Held[]> {
  const { name, tokens: listed } = node.network;
  const [coins, balances] = await Promise.all([
    chain.balance(address, node),
    chain.tokenBalances(address, listed, node),
  ]);
  const { coin, gasCoin } = chain;
  const held: Held[] = [{ amount: { ...coin, raw: BigInt(coins.rawBalance) }, name }];
  if (gasCoin.symbol !== coin.symbol)
    held.push({ amount: { ...gasCoin, raw: BigInt(coins.rawGasBalance) }, name });
  for (const token of listed) {
    const found = balances.find(
      ({ tokenAddress }) => tokenAddress.toLowerCase() === token.address.toLowerCase(),
    );
    if (!found) continue;
    const { address: contract, symbol, decimals } = token;
    held.push({
      amount: { token: contract, symbol, decimals, raw: BigInt(found.rawBalance) },
      name: `${token.name} · ${name}`,
    });
  }
  return held;
}
