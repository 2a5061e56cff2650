/**
 * What the page remembers for itself, in its own `localStorage`: public records of the wallets that the user linked to it, requests
 * that are still unanswered, and wallets it unlinked while the vault was out of reach. It never holds a secret.
 */
import type { Wallet } from '../api/wallet.ts';
import type { Action } from '../base/actions.ts';
import type { Clock } from '../base/clock.ts';
import type { AskedFor } from './messages.ts';

export interface Undelivered {
  action: Action;
  /** Epoch milliseconds. */
  at: number;
  /** Absent in what older versions wrote. */
  asked?: AskedFor | undefined;
}

const TRANSFER_FIELDS = ['walletId', 'secretType', 'to', 'value', 'tokenAddress', 'network'] as const;

/** Only transfers keep their amount: in other requests it is in the chain's smallest units. */
export function askedFor(action: Action, params: unknown): AskedFor {
  const names = action === 'transfer' ? TRANSFER_FIELDS : (['walletId', 'network'] as const);
  const fields = params as { [Name in keyof AskedFor]: unknown };
  return Object.fromEntries(
    names.flatMap((name) =>
      // A node of the page's own is no network of the wallet's.
      fields[name] == null || typeof fields[name] === 'object' ? [] : [[name, String(fields[name])]],
    ),
  );
}

/** A linked external wallet. */
export interface External {
  /** Entries of another version are left out: their format is unknown. */
  version: 1;
  /** The standard it follows, and its name there. */
  by: string;
  wallet: Wallet;
  /** The page wanted it on this network: it stays there when the wallet's user switches. */
  pinned?: true;
}

interface Contents {
  wallets: Wallet[];
  /** Network ids, by wallet id, of wallets not on the first network of their chain. */
  networks: Record<string, unknown>;
  undelivered: Record<string, Undelivered>;
  unlinked: string[];
  /** By the wallet's id. */
  external: Record<string, External>;
}

/** A request that nobody has asked about for this long is forgotten. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

export interface HostRecord {
  read(): Readonly<Contents>;
  /** The linked wallets, ours first, with their network if it is not the first of their chain. */
  wallets(): Wallet[];
  /** Reads, changes and writes synchronously, because other tabs of the page write too. */
  change(edit: (contents: Contents) => void): void;
  /** Adds wallets that an answer has just named. An earlier unlinking does not undo this. */
  addWallets(wallets: readonly Wallet[]): void;
  /**
   * Without `networks`, the stored ones stay. With `browserOnly`, nothing is known about service wallets, and
   * they stay too. Wallets that the page has unlinked are left out until the vault knows.
   */
  setWallets(wallets: Wallet[], networks?: Record<string, string>, browserOnly?: boolean): void;
  /** Makers whose wallets this connect cannot reach. Another connect of the page may, so this is not stored. */
  lost: Set<string>;
  onWallets(listener: (wallets: Wallet[]) => void): () => void;
  /** Notifies the listeners: the wallets are the same, but their balances changed. */
  renew(): void;
  destroy(): void;
}

export function hostRecord(frameOrigin: string, clock: Clock): HostRecord {
  return new StoredRecord(`carabiner:${frameOrigin}`, clock);
}

class StoredRecord implements HostRecord {
  readonly lost = new Set<string>();
  readonly #key: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<(wallets: Wallet[]) => void>();
  /** Where storage is denied (a sandbox, a privacy setting) or full: remembers for as long as the page lives. */
  #memory: Contents | undefined;
  /** The wallets that the listeners know of, as JSON. */
  #announcement: string;

  constructor(key: string, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
    this.#announcement = JSON.stringify(this.wallets());
    addEventListener('storage', this.#onStorage);
  }

  read(): Contents {
    if (this.#memory) return this.#memory;
    try {
      return parse(localStorage.getItem(this.#key), this.#clock.date());
    } catch {
      return (this.#memory = parse(null, this.#clock.date()));
    }
  }

  wallets(): Wallet[] {
    const { wallets, networks, external } = this.read();
    const ours = wallets.map((wallet) => {
      const network = Object.hasOwn(networks, wallet.id) ? networks[wallet.id] : undefined;
      return typeof network === 'string' ? { ...wallet, network } : wallet;
    });
    const theirs = Object.values(external).map(({ by, wallet }) =>
      this.lost.has(by) ? { ...wallet, status: 'UNAVAILABLE' as const } : wallet,
    );
    return [...ours, ...theirs];
  }

  change(edit: (contents: Contents) => void): void {
    const contents = this.read();
    edit(contents);
    if (!this.#memory)
      try {
        localStorage.setItem(this.#key, JSON.stringify(contents));
      } catch {
        this.#memory = contents;
      }
    this.#announce();
  }

  addWallets(wallets: readonly Wallet[]): void {
    const ids = wallets.map(({ id }) => id);
    this.change((it) => {
      it.unlinked = it.unlinked.filter((id) => !ids.includes(id));
      it.wallets = [...it.wallets.filter(({ id }) => !ids.includes(id)), ...wallets];
    });
  }

  setWallets(wallets: Wallet[], networks?: Record<string, string>, browserOnly?: boolean): void {
    this.change((contents) => {
      const others = browserOnly ? contents.wallets.filter(({ walletType }) => walletType !== 'BROWSER') : [];
      contents.wallets = [...wallets, ...others].filter(({ id }) => !contents.unlinked.includes(id));
      if (networks) contents.networks = others.length ? { ...contents.networks, ...networks } : networks;
    });
  }

  onWallets(listener: (wallets: Wallet[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  renew(): void {
    const wallets = this.wallets();
    for (const listener of this.#listeners) listener(wallets);
  }

  destroy(): void {
    this.#listeners.clear();
    removeEventListener('storage', this.#onStorage);
  }

  #announce(): void {
    const wallets = JSON.stringify(this.wallets());
    if (wallets === this.#announcement) return;
    this.#announcement = wallets;
    this.renew();
  }

  /** Another tab of the page may have written. */
  readonly #onStorage = ({ key }: StorageEvent): void => {
    if (key === this.#key || key === null) this.#announce();
  };
}

/** Anybody on the page's origin may have written there: invalid entries are left out. */
function parse(text: string | null, now: number): Contents {
  const contents: Contents = {
    wallets: [],
    networks: {},
    undelivered: Object.create(null),
    unlinked: [],
    external: Object.create(null),
  };
  let stored: Partial<Record<keyof Contents, unknown>> | null;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return contents;
  }
  if (typeof stored?.networks === 'object') Object.assign(contents.networks, stored.networks);
  if (Array.isArray(stored?.wallets)) contents.wallets = stored.wallets.filter(isWallet);
  if (Array.isArray(stored?.unlinked))
    contents.unlinked = stored.unlinked.filter((id) => typeof id === 'string');
  keepFitting(contents.undelivered, stored?.undelivered, (id, entry) => isUndelivered(id, entry, now));
  keepFitting(contents.external, stored?.external, isExternal);
  return contents;
}

function keepFitting<T>(
  into: Record<string, T>,
  stored: unknown,
  fits: (id: string, entry: T) => boolean,
): void {
  for (const [id, entry] of Object.entries((stored ?? {}) as Record<string, T>))
    if (fits(id, entry)) into[id] = entry;
}

/** Only ids in the frame's format: a single bad one would make it refuse the whole query. */
export function isUndelivered(id: string, entry: Undelivered | null | undefined, now: number): boolean {
  return /^[A-Za-z0-9_-]{8,64}$/.test(id) && typeof entry?.action === 'string' && now - entry.at < KEEP_MS;
}

function isExternal(id: string, entry: External | null | undefined): boolean {
  return entry?.version === 1 && isWallet(entry.wallet) && entry.wallet.id === id;
}

function isWallet(value: unknown): value is Wallet {
  const wallet = value as Partial<Wallet> | null;
  return [wallet?.id, wallet?.address, wallet?.secretType].every((field) => typeof field === 'string');
}

/**
 * The ids of the page's requests, on disk before the wallet gets them. `localStorage` is not durable: a
 * browser flushes it late, so one killed right after a payment would leave a page that has forgotten it and
 * asks again.
 */
export interface RequestStore<Request = Undelivered> {
  /** On disk when it resolves. */
  keep(requestId: string, request: Request): Promise<void>;
  forget(requestId: string): Promise<void>;
  all(): Promise<Record<string, Request>>;
}

const STORE = 'requests';

/** In the page's own IndexedDB. Every call rejects where there is none. */
export function requestStore<Request = Undelivered>(name: string): RequestStore<Request> {
  let opened: Promise<IDBDatabase> | undefined;

  const open = () =>
    (opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const database = request.result;
        // The user clears the page's data, or a later version of this code upgrades the database.
        database.onclose = database.onversionchange = () => {
          database.close();
          opened = undefined;
        };
        resolve(database);
      };
    }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));

  async function exists(): Promise<boolean> {
    // Firefox has it since 126.
    return !indexedDB.databases || (await indexedDB.databases()).some((each) => each.name === name);
  }

  async function write(work: (store: IDBObjectStore) => void): Promise<void> {
    const database = await open();
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(STORE));
    });
  }

  return {
    keep: (requestId, request) => write((store) => store.put(request, requestId)),
    forget: (requestId) => write((store) => store.delete(requestId)),
    async all() {
      // Opening creates the database, and the next page load looks into it if it exists.
      if (!opened && !(await exists())) return {};
      const store = (await open()).transaction(STORE).objectStore(STORE);
      const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
      return Object.fromEntries(keys.map((key, index) => [String(key), values[index] as Request]));
    },
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
