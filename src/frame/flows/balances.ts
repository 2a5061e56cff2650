import type { Wallet } from '../../api/wallet.ts';
import type { Amount } from '../../chains/chain.ts';
import { activeNetwork } from '../../chains/networks.ts';
import type { Reader } from './frame.ts';

/** Coins by wallet id. */
export type Balances = ReadonlyMap<string, Amount>;

/** Reads what the wallets hold, and calls back as answers come. A wallet whose node does not answer is left out. */
export async function loadBalances(
  frame: Reader,
  wallets: readonly Wallet[],
  show: (balances: Balances) => void,
): Promise<void> {
  const balances = new Map<string, Amount>();
  await Promise.all(
    wallets.map(async ({ id, address, secretType }) => {
      try {
        const chain = await frame.chain(secretType);
        const node = chain.node(activeNetwork(frame.networks, secretType));
        const { rawBalance, decimals, symbol } = await chain.balance(address, node);
        balances.set(id, { raw: BigInt(rawBalance), decimals, symbol: symbol ?? chain.coin.symbol });
        show(new Map(balances));
      } catch {
        // No figure rather than a wrong one.
      }
    }),
  );
}
