import type { NativeBalance } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import type { HeldWallet } from '../../wallets/types.ts';
import type { Reader } from '../frame.ts';
import type { Holding } from './holding.ts';

/** By wallet id. */
export type Balances = ReadonlyMap<string, Holding>;

/** Reads the wallets' balances, and calls `show` as answers arrive. A wallet whose node does not answer is omitted. */
export async function loadBalances(
  frame: Reader,
  wallets: readonly HeldWallet[],
  show: (balances: Balances) => void,
): Promise<void> {
  const balances = new Map<string, Holding>();
  await Promise.all(
    wallets.map(async (wallet) => {
      try {
        const network = networkOf(frame.networks, wallet);
        const chain = await frame.chain(wallet.secretType);
        balances.set(wallet.id, holdingOf(chain, await chain.balance(wallet.address, chain.node(network))));
        show(new Map(balances));
      } catch {
        // Better no figure than a wrong one.
      }
    }),
  );
}

function holdingOf({ coin, gasCoin }: Chain, { rawBalance, rawGasBalance }: NativeBalance): Holding {
  return {
    coin: { ...coin, raw: BigInt(rawBalance) },
    ...(gasCoin.symbol !== coin.symbol && { gas: { ...gasCoin, raw: BigInt(rawGasBalance) } }),
  };
}
