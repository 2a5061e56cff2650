/**
 * The page's session with a wallet: opened when it is needed, ended by either side, replaced by a new one or by another tab of the page.
 * Each session has a client of its own, so that the entries of two sessions never mix. It is stored, so that it survives a reload: the
 * client's entries, in one item of the page's `localStorage`.
 */
import {
  type ClientStorage,
  close,
  leave,
  type Session,
  type SessionEvent,
  type SignClient,
} from './walletconnect-client.ts';

export interface OpenSession {
  client: SignClient;
  session: Session;
}

export interface SessionListener {
  /** `told`: what the wallet says about accounts and chains beside the session, which may be unchanged. */
  changed(session: Session, told?: SessionEvent['params']): Promise<void>;
  ended(): void;
}

/** A client, and the id of the stored session that it serves. */
interface Open {
  id: string;
  client: SignClient;
}

export class PageSession {
  readonly #store: SessionStore;
  readonly #start: (entries: ClientEntries) => Promise<SignClient>;
  readonly #listener: SessionListener;
  /** Id of the session that is open or opening. */
  #id: string | undefined;
  #opening: Promise<Open> | undefined;

  constructor(
    store: SessionStore,
    start: (entries: ClientEntries) => Promise<SignClient>,
    listener: SessionListener,
    ended: AbortSignal,
  ) {
    this.#store = store;
    this.#start = start;
    this.#listener = listener;
    store.onOther(() => {
      if (store.id() !== this.#id) void this.current().catch(() => {});
    }, ended);
    ended.addEventListener('abort', () => closeWhenOpen(this.#opening));
  }

  /** What is stored, which another tab may have ended or replaced. Undefined if there is none. */
  async current(): Promise<OpenSession | undefined> {
    const id = this.#store.id();
    if (this.#id !== id) {
      closeWhenOpen(this.#opening);
      this.#id = id;
      this.#opening = id === undefined ? undefined : this.#open(id);
    }
    const open = await this.#opening;
    if (!open) return undefined;
    const { client } = open;
    const [session] = client.session.getAll();
    if (session) return { client, session };
    // It has expired, or the wallet ended it while the page was away.
    this.#end(open);
    return undefined;
  }

  /** Stores the new session of a client as the page's. `before`: the session that it replaces. */
  replace(client: SignClient, entries: ClientEntries, before: OpenSession | undefined): void {
    const old = this.#opening;
    const id = entries.keep();
    this.#id = id;
    this.#opening = Promise.resolve(this.#follow({ id, client }));
    // Only now: until then, the end of the old session would remove what is stored.
    if (before) leave(before.client);
    else closeWhenOpen(old);
  }

  async forget(): Promise<void> {
    const open = await this.current().catch(() => undefined);
    this.#id = this.#opening = undefined;
    this.#store.forget();
    if (open) leave(open.client);
  }

  #open(id: string): Promise<Open> {
    const opening = this.#start(new ClientEntries(this.#store, id)).then((client) =>
      this.#follow({ id, client }),
    );
    opening.catch(() => {
      if (this.#opening === opening) this.#id = this.#opening = undefined;
    });
    return opening;
  }

  /** Listens to the wallet's own notifications. */
  #follow(open: Open): Open {
    const { id, client } = open;
    const changed = (told?: SessionEvent['params']): void => {
      const [session] = client.session.getAll();
      if (session && this.#store.id() === id) void this.#listener.changed(session, told).catch(() => {});
    };
    client.on('session_update', () => changed());
    client.on('session_delete', () => this.#end(open));
    client.on('session_expire', () => this.#end(open));
    client.on('session_event', ({ params }) => changed(params));
    return open;
  }

  #end(open: Open): void {
    if (this.#id === open.id) this.#id = this.#opening = undefined;
    if (this.#store.id() === open.id) {
      this.#store.forget();
      this.#listener.ended();
    }
    close(open.client);
  }
}

function closeWhenOpen(opening: Promise<Open> | undefined): void {
  opening?.then(
    ({ client }) => close(client),
    () => {},
  );
}

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
