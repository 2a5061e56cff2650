/** What became known of wallets' transactions since: what they received, and which ones were replaced. */
import type { Network } from '../../chains/network.ts';
import { coinOf } from '../../chains/secret-type.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import type { Replaced } from '../../channel/messages.ts';
import type {
  ActivityRecord,
  ActivityStore,
  HeldWallet,
  History,
  PastWorth,
  ReceivedRecord,
  Vault,
} from '../../wallets/types.ts';
import type { Frame, Reader } from '../frame.ts';
import { onEach } from './balances.ts';

/** For this long, in milliseconds, the current price passes for the price at the time of receipt. */
const SAME_PRICE = 3_600_000;

type Receiver = Pick<HeldWallet, 'id' | 'address' | 'secretType' | 'network' | 'walletType'>;

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
    const [{ findIncoming, findCoins }, history] = await Promise.all([chain.incoming(), vault.history()]);
    const node = chain.node(network);
    const home = networksOf(frame.networks, wallet)[0]?.id;
    const isUnnamed = wallet.network === undefined && network.id === home;
    const key = isUnnamed ? undefined : network.id;
    const look = new Look(frame, history, wallet, network, key);
    await Promise.all([
      look.keep(async () => {
        const cursor = await history.cursor(wallet.id, key);
        const incoming = await findIncoming(wallet.address, node, cursor, coinOf(network));
        return history.addReceived(wallet.id, { ...incoming, items: incoming.items.map(look.past) }, key);
      }),
      // The service reads the blocks for its own wallets.
      findCoins &&
        wallet.walletType === 'BROWSER' &&
        look.keep(async () => {
          const [looks, records, payers] = await Promise.all([
            history.coinLooks(wallet.id, key),
            vault.activity.list(wallet.id),
            // Contracts of exchanges between chains, which pay out coins by themselves.
            frame.networks.crossChain &&
              import('../../swaps/cross-chain/entry.ts').then(({ payersOn }) =>
                payersOn(frame.networks, network),
              ),
          ]);
          const own = records.filter((record) => (record.network ?? home) === network.id);
          const spentBy = (first: number, end: number): bigint | undefined => spent(own, first, end);
          const coins = await findCoins(wallet.address, node, looks, spentBy, payers);
          return history.addCoins(wallet.id, { ...coins, items: coins.items.map(look.past) }, looks, key);
        }),
    ]);
  } catch {
    // The chain could not be loaded.
  }
}

/** A look at what a wallet received on one network. */
class Look {
  readonly #frame: Frame;
  readonly #history: History;
  readonly #wallet: Receiver;
  readonly #network: Network;
  readonly #key: string | undefined;
  readonly #now: number;

  /** `key`: of the network, as `History` takes it. */
  constructor(frame: Frame, history: History, wallet: Receiver, network: Network, key: string | undefined) {
    this.#frame = frame;
    this.#history = history;
    this.#wallet = wallet;
    this.#network = network;
    this.#key = key;
    this.#now = frame.clock.date();
  }

  /** A chain's clock may be ahead: clamps times in the future. */
  readonly past = <T extends { at?: number | undefined }>(item: T): T =>
    item.at === undefined ? item : { ...item, at: Math.min(item.at, this.#now) };

  /** Runs a search that stores what it finds, and adds what that is worth. */
  async keep(search: () => Promise<ReceivedRecord[]>): Promise<void> {
    try {
      const worth = await worthNow(this.#frame, this.#network, await search(), this.#now);
      if (worth.size) await this.#history.setWorth(this.#wallet.id, worth, this.#key);
    } catch {
      // Unreachable, or without such an index.
    }
  }
}

/**
 * What the wallet's own transactions with nonces from `first` to before `end` took from its balance. Undefined unless each is known and
 * final, and if one of them may have brought something: a swap, or another call.
 */
export function spent(own: readonly ActivityRecord[], first: number, end: number): bigint | undefined {
  let sum = 0n;
  for (let nonce = first; nonce < end; nonce++) {
    // Those that were replaced cost nothing.
    const mined = own.filter(
      ({ summary, state, fee }) =>
        summary.nonce === nonce && fee !== undefined && (state === 'confirmed' || state === 'failed'),
    );
    const [record] = mined;
    if (!record || mined.length > 1) return undefined;
    const { kind, amount, to, from, parts, swap } = record.summary;
    if (parts || swap || (kind !== 'transfer' && kind !== 'approval')) return undefined;
    const isPaid = record.state === 'confirmed' && kind === 'transfer' && amount.token === undefined;
    const isOwn = to?.toLowerCase() === from.toLowerCase();
    sum += record.fee! + (isPaid && !isOwn ? amount.raw : 0n);
  }
  return sum;
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
  for (const { id, at, seenSince: since = at, amount, worth: known } of received) {
    const value =
      known || since === undefined || Math.abs(now - since) > SAME_PRICE
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
