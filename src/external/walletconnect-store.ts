/**
 * Stores a session with a wallet elsewhere, so that it survives a reload: the client's entries, in one item of the page's `localStorage`.
 * Other tabs of the page read and write it too; a new session replaces the previous one in all of them.
 */
import type { ClientStorage } from './walletconnect-client.ts';

interface Stored {
  /** Items that another version wrote are ignored. */
  version: 1;
  id: string;
  entries: Record<string, unknown>;
}

/** Lists of the client that grow with each request and are not needed after a reload. */
const PASSING = /\/\/(messages|history)/;

export class SessionStore {
  readonly #key: string;
  /** Used in place of storage that the browser denies. */
  #memory: Stored | undefined;

  /** `frame`: the origin of our own wallet; a page may use several. */
  constructor(frame: string) {
    this.#key = `carabiner:walletconnect:${frame}`;
  }

  /** Id of the stored session. */
  id(): string | undefined {
    return this.read()?.id;
  }

  read(): Stored | undefined {
    if (this.#memory) return this.#memory;
    try {
      const stored = JSON.parse(localStorage.getItem(this.#key) ?? 'null') as Stored | null;
      const fits = stored?.version === 1 && typeof stored.id === 'string' && stored.entries instanceof Object;
      return fits ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  write(stored: Stored): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify(stored));
    } catch {
      this.#memory = stored;
    }
  }

  forget(): void {
    this.#memory = undefined;
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Storage is denied: nothing is kept.
    }
  }

  /** Calls the listener when another tab has stored another session, or removed it. */
  onOther(listener: () => void, ended: AbortSignal): void {
    const hear = ({ key }: StorageEvent): void => {
      if (key === this.#key || key === null) listener();
    };
    addEventListener('storage', hear, { signal: ended });
  }
}

/** The entries of a client, which serves one session. Until `keep`, those of a new session are in memory. */
export class ClientEntries implements ClientStorage {
  /** Of the names of the client's entries, which two clients in one page must not share. */
  readonly prefix = crypto.randomUUID();
  readonly #store: SessionStore;
  readonly #entries: Map<string, unknown>;
  #id: string | undefined;

  /** `id`: of a stored session. */
  constructor(store: SessionStore, id?: string) {
    const stored = store.read();
    this.#store = store;
    this.#id = id;
    this.#entries = new Map(Object.entries((id !== undefined && stored?.id === id && stored.entries) || {}));
  }

  /** Stores them as the page's session. Returns its id. */
  keep(): string {
    this.#id = crypto.randomUUID();
    const lasting = [...this.#entries].filter(([name]) => !PASSING.test(name));
    this.#store.write({ version: 1, id: this.#id, entries: Object.fromEntries(lasting) });
    return this.#id;
  }

  async getKeys(): Promise<string[]> {
    return [...this.#entries.keys()];
  }

  async getEntries(): Promise<[string, unknown][]> {
    return [...this.#entries];
  }

  async getItem(key: string): Promise<unknown> {
    return this.#entries.get(this.#nameOf(key));
  }

  async setItem(key: string, value: unknown): Promise<void> {
    const name = this.#nameOf(key);
    this.#entries.set(name, value);
    this.#change(name, (all) => (all[name] = value));
  }

  async removeItem(key: string): Promise<void> {
    const name = this.#nameOf(key);
    this.#entries.delete(name);
    this.#change(name, (all) => delete all[name]);
  }

  #nameOf(key: string): string {
    return key.replace(`:${this.prefix}`, '');
  }

  /** Other tabs write other entries. A session that has replaced this one is left alone. */
  #change(name: string, edit: (entries: Record<string, unknown>) => void): void {
    const now = this.#store.read();
    if (this.#id === undefined || now?.id !== this.#id || PASSING.test(name)) return;
    edit(now.entries);
    this.#store.write(now);
  }
}
