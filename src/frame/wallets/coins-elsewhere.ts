/** Coins that wallets have on other networks than the default one, whose balance lists show. */
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import { coinOf } from '../../chains/secret-type.ts';
import type { ActivityStore, HeldWallet } from '../../wallets/types.ts';
import type { Reader } from '../frame.ts';
import { type Balances, onEach } from './balances.ts';

/** At most as many balances are asked for at once; others, when the user does something next. */
const MOST = 30;

export interface Coins {
  network: Network;
  amount: Amount;
}

/** By wallet id; without wallets of which none are known. */
export type CoinsElsewhere = ReadonlyMap<string, readonly Coins[]>;

interface Place {
  wallet: HeldWallet;
  network: Network;
  /** The wallet was used there. */
  isUsed: boolean;
}

/** As long as a list is open. */
export class ElsewhereSearch {
  readonly #frame: Reader;
  readonly #vault: ActivityStore;
  readonly #show: (found: CoinsElsewhere) => void;
  #found: CoinsElsewhere = new Map();
  /** By wallet id and network id, what was asked for. */
  readonly #asked = new Set<string>();

  constructor(frame: Reader, vault: ActivityStore, show: (found: CoinsElsewhere) => void) {
    this.#frame = frame;
    this.#vault = vault;
    this.#show = show;
  }

  /**
   * Asks where wallets were used and, for one whose `balances` has nothing on its default network, on all networks of that kind: what a test
   * network has is not money. Calls `show` as answers arrive.
   */
  async look(wallets: readonly HeldWallet[], balances: Balances): Promise<void> {
    const all = await Promise.all(wallets.map((wallet) => this.#placesOf(wallet, balances)));
    const places = all.flat().filter((place) => !this.#asked.has(keyOf(place)));
    const first = [...places.filter(({ isUsed }) => isUsed), ...places.filter(({ isUsed }) => !isUsed)];
    const batch = first.slice(0, MOST);
    for (const place of batch) this.#asked.add(keyOf(place));
    await onEach(batch, (place) => this.#read(place));
  }

  /** What a wallet has may have changed: it is asked for again. */
  forget({ id }: HeldWallet): void {
    for (const key of this.#asked) if (key.startsWith(`${id} `)) this.#asked.delete(key);
    this.#found = new Map([...this.#found].filter(([one]) => one !== id));
    this.#show(this.#found);
  }

  async #placesOf(wallet: HeldWallet, balances: Balances): Promise<Place[]> {
    const { networks } = this.#frame;
    const [home, ...others] = networksOf(networks, wallet);
    if (!home || !others.length) return [];
    const used = await this.#usedBy(wallet);
    const isEmpty = balances.get(wallet.id)?.coin.raw === 0n;
    return others
      .map((network) => ({ wallet, network, isUsed: used.has(network.id) }))
      .filter(({ network, isUsed }) => isUsed || (isEmpty && network.kind === home.kind));
  }

  /** Ids of the networks of what it sent and received; undefined for records of its default one. */
  async #usedBy({ id }: HeldWallet): Promise<ReadonlySet<string | undefined>> {
    const [sent, received] = await Promise.all([
      this.#vault.activity.list(id),
      this.#vault.history().then((history) => history.received(id)),
    ]);
    return new Set([...sent, ...received].map(({ network }) => network));
  }

  async #read({ wallet, network }: Place): Promise<void> {
    try {
      const chain = await this.#frame.chain(wallet.secretType);
      const { rawBalance } = await chain.balance(wallet.address, chain.node(network));
      const raw = BigInt(rawBalance);
      if (!raw) return;
      const coins = [...(this.#found.get(wallet.id) ?? []), { network, amount: { ...coinOf(network), raw } }];
      this.#found = new Map([...this.#found, [wallet.id, coins]]);
      this.#show(this.#found);
    } catch {
      // A hint: better none than a wrong one.
    }
  }
}

const keyOf = ({ wallet, network }: Place): string => `${wallet.id} ${network.id}`;
