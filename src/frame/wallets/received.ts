/** Asks a wallet's node what the wallet has received, and stores the answer. */
import { isCustom, networkOf } from '../../chains/nodes/networks.ts';
import type { ActivityStore, HeldWallet, PastWorth } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';

/** For this long, in milliseconds, the current price passes for the price at the time of receipt. */
const SAME_PRICE = 3_600_000;

/** Resolves even if the node cannot tell: nothing is then stored or reported. */
export async function lookForReceived(
  frame: Frame,
  vault: ActivityStore,
  wallet: Pick<HeldWallet, 'id' | 'address' | 'secretType' | 'network'>,
): Promise<void> {
  try {
    const chain = await frame.chain(wallet.secretType);
    if (!chain.incoming) return;
    const [{ findIncoming }, history] = await Promise.all([chain.incoming(), vault.history()]);
    const network = networkOf(frame.networks, wallet);
    const node = chain.node(network);
    const found = await findIncoming(wallet.address, node, await history.cursor(wallet.id), chain.coin);
    const now = frame.clock.date();
    // A chain's clock may be ahead: clamps times in the future.
    const items = found.items.map((item) =>
      item.at === undefined ? item : { ...item, at: Math.min(item.at, now) },
    );
    const received = await history.addReceived(wallet.id, { ...found, items });
    if (frame.networks.fiat === undefined || isCustom(network)) return;
    const prices = (await import('../ui/worth.ts')).pricesOf(frame);
    if (!prices) return;
    await prices.load();
    const worth = new Map<string, PastWorth>();
    for (const { id, at, amount, worth: known } of received) {
      const value =
        known || at === undefined || Math.abs(now - at) > SAME_PRICE
          ? undefined
          : prices.worth(network, amount);
      if (value) worth.set(id, { value: value.value, currency: value.currency });
    }
    if (worth.size) await history.setWorth(wallet.id, worth);
  } catch {
    // Unreachable, or without such an index.
  }
}
