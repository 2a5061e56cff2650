/**
 * Stores a session with a wallet elsewhere, so that it survives a reload: the client's entries, in one item of the page's `localStorage`.
 * Other tabs of the page read and write it too; a new session replaces the previous one in all of them.
 */
import type { ClientStorage } from './walletconnect-types.ts';

interface Stored {
  /** Items that another version wrote are ignored. */
  version: 1;
  id: string;
  entries: Record<string, unknown>;
}

export interface SessionStore {
  /** Id of the stored session. */
  id(): string | undefined;
  /** Opens the stored session with this id. Without an id, a new one, which is in memory until `keep`. */
  open(id?: string): OpenStore;
  forget(): void;
  /** Called when another tab has stored another session, or removed it. */
  onOther(listener: () => void, ended: AbortSignal): void;
}

export interface OpenStore {
  /** Prefix of the names of the client's entries, which two clients in one page must not share. */
  prefix: string;
  storage: ClientStorage;
  /** Stores it as the page's session. Returns its id. */
  keep(): string;
}

/** Lists of the client that grow with each request and are not needed after a reload. */
const PASSING = /\/\/(messages|history)/;

/** `frame`: the origin of our own wallet; a page may use several. */
export function sessionStore(frame: string): SessionStore {
  const key = `carabiner:walletconnect:${frame}`;
  /** In place of storage that the browser denies. */
  let memory: Stored | undefined;

  function read(): Stored | undefined {
    if (memory) return memory;
    try {
      const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Stored | null;
      const fits = stored?.version === 1 && typeof stored.id === 'string' && stored.entries instanceof Object;
      return fits ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  function write(stored: Stored): void {
    try {
      localStorage.setItem(key, JSON.stringify(stored));
    } catch {
      memory = stored;
    }
  }

  function open(given?: string): OpenStore {
    let id = given;
    const prefix = crypto.randomUUID();
    const nameOf = (name: string) => name.replace(`:${prefix}`, '');
    const stored = read();
    const entries = new Map(Object.entries((id !== undefined && stored?.id === id && stored.entries) || {}));

    /** Other tabs write other entries. A session that has replaced this one is left alone. */
    function change(name: string, edit: (entries: Record<string, unknown>) => void): void {
      const now = read();
      if (id === undefined || now?.id !== id || PASSING.test(name)) return;
      edit(now.entries);
      write(now);
    }

    return {
      prefix,
      storage: {
        getKeys: async () => [...entries.keys()],
        getEntries: async () => [...entries],
        getItem: async (name) => entries.get(nameOf(name)),
        async setItem(name, value) {
          entries.set(nameOf(name), value);
          change(nameOf(name), (all) => (all[nameOf(name)] = value));
        },
        async removeItem(name) {
          entries.delete(nameOf(name));
          change(nameOf(name), (all) => delete all[nameOf(name)]);
        },
      },
      keep() {
        id = crypto.randomUUID();
        const lasting = [...entries].filter(([name]) => !PASSING.test(name));
        write({ version: 1, id, entries: Object.fromEntries(lasting) });
        return id;
      },
    };
  }

  return {
    id: () => read()?.id,
    open,
    forget() {
      memory = undefined;
      try {
        localStorage.removeItem(key);
      } catch {
        // Storage is denied: nothing is kept.
      }
    },
    onOther(listener, signal) {
      const hear = (event: StorageEvent): void => {
        if (event.key === key || event.key === null) listener();
      };
      addEventListener('storage', hear, { signal });
    },
  };
}
