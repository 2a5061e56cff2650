/** What became known of wallets' transactions since: what they received, and which ones were replaced. */
import type { Network } from '../../chains/network.ts';
import { coinOf } from '../../chains/secret-type.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import type { Replaced } from '../../channel/messages.ts';
import type {
  ActivityRecord,
  ActivityStore,
  HeldWallet,
  PastWorth,
  ReceivedRecord,
  Vault,
} from '../../wallets/types.ts';
import type { Frame, Reader } from '../frame.ts';
import { onEach } from './balances.ts';

/** For this long, in milliseconds, the current price passes for the price at the time of receipt. */
const SAME_PRICE = 3_600_000;

type Receiver = Pick<HeldWallet, 'id' | 'address' | 'secretType' | 'network'>;

/** Asks the nodes of a wallet's networks what it has received, and stores their answers. Resolves even if some cannot tell. */
export async function lookForReceived(
  frame: Frame,
  vault: ActivityStore,
  wallet: Receiver,
  networks = networksOf(frame.networks, wallet),
): Promise<void> {
  await onEach(networks, (network) => lookOn(frame, vault, wallet, network));
}

/** Nothing is stored or reported where the node cannot tell. */
async function lookOn(frame: Frame, vault: ActivityStore, wallet: Receiver, network: Network): Promise<void> {
  try {
    const chain = await frame.chain(wallet.secretType);
    if (!chain.incoming) return;
    const [{ findIncoming }, history] = await Promise.all([chain.incoming(), vault.history()]);
    const node = chain.node(network);
    const isUnnamed =
      wallet.network === undefined && network.id === networksOf(frame.networks, wallet)[0]?.id;
    const key = isUnnamed ? undefined : network.id;
    const incoming = await findIncoming(
      wallet.address,
      node,
      await history.cursor(wallet.id, key),
      coinOf(network),
    );
    const now = frame.clock.date();
    // A chain's clock may be ahead: clamps times in the future.
    const items = incoming.items.map((item) =>
      item.at === undefined ? item : { ...item, at: Math.min(item.at, now) },
    );
    const received = await history.addReceived(wallet.id, { ...incoming, items }, key);
    const worth = await worthNow(frame, network, received, now);
    if (worth.size) await history.setWorth(wallet.id, worth, key);
  } catch {
    // Unreachable, or without such an index.
  }
}

/** What came just now, by id, with what it is worth. */
async function worthNow(
  frame: Frame,
  network: Network,
  received: readonly ReceivedRecord[],
  now: number,
): Promise<Map<string, PastWorth>> {
  const worth = new Map<string, PastWorth>();
  const prices =
    frame.networks.fiat === undefined ? undefined : (await import('../ui/worth.ts')).pricesOf(frame);
  await prices?.load();
  for (const { id, at, amount, worth: known } of received) {
    const value =
      known || at === undefined || Math.abs(now - at) > SAME_PRICE
        ? undefined
        : prices?.worth(network, amount);
    if (value) worth.set(id, { value: value.value, currency: value.currency });
  }
  return worth;
}

// Reports replacements of a site's transactions to that site only: its page tracks them by hash.

/** As long as a page tracks its transactions. */
const FOLLOWED_MS = 7 * 24 * 60 * 60 * 1000;

export async function tellReplaced(
  { link, clock }: Pick<Reader, 'link' | 'clock'>,
  vault: Vault,
): Promise<void> {
  const wallets = await vault.linked(link.origin, true);
  const lists = await Promise.all(wallets.map(({ id }) => vault.activity.list(id)));
  const replaced = lists.flatMap((records) =>
    records
      .filter(({ origin, at }) => origin === link.origin && clock.date() - at < FOLLOWED_MS)
      .flatMap((record) => successors(record, records)),
  );
  if (replaced.length) link.sendReplaced(replaced);
}

/** All successive replacements, if it was replaced more than once. */
function successors(first: ActivityRecord, records: readonly ActivityRecord[]): Replaced[] {
  const replacements: Replaced[] = [];
  let last: ActivityRecord | undefined = first;
  while (last?.replacedBy !== undefined && replacements.length < records.length) {
    const by: string = last.replacedBy;
    replacements.push({ transactionHash: first.hash, by, how: last.replacedTo ?? 'speed-up' });
    last = records.find(({ hash }) => hash === by);
  }
  return replacements;
}
