/**
 * What is kept of a session with a wallet elsewhere, so that a reload asks nobody: the client's entries, in one item of the page's
 * `localStorage`. Other tabs of the page read and write it, too; a new session takes the place of the one before in all of them.
 */
import type { ClientStorage } from './walletconnect-types.ts';

interface Stored {
  /** What another version wrote is not read. */
  version: 1;
  id: string;
  entries: Record<string, unknown>;
}

export interface SessionStore {
  /** Of the session that is kept. */
  id(): string | undefined;
  /** Of the kept session; without an id of one to come, which is in memory until `keep`. */
  open(id?: string): OpenStore;
  forget(): void;
  /** Called when another tab has another session, or none. */
  onOther(listener: () => void, ended: AbortSignal): void;
}

export interface OpenStore {
  /** For the names of the client's entries, which two clients in one page must not share. */
  prefix: string;
  storage: ClientStorage;
  /** From now on it is the page's session. Answers its id. */
  keep(): string;
}

/** Lists of the client's that grow with each request, and that nothing after a reload needs. */
const PASSING = /\/\/(messages|history)/;

/** `frame`: the origin of our wallet; a page may have several. */
export function sessionStore(frame: string): SessionStore {
  const key = `carabiner:walletconnect:${frame}`;
  /** Where the browser keeps nothing for the page. */
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

    /** Other tabs write other entries, and a session that has taken the place of this one is not touched. */
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
        // Nothing is kept there.
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
