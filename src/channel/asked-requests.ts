/**
 * The ids of the page's requests, on disk before the wallet gets them. `localStorage` is not durable: a
 * browser flushes it late, so one killed right after a payment would leave a page that has forgotten it and
 * asks again.
 */
import type { Undelivered } from './host-record.ts';

export interface AskedRequests {
  /** On disk when it resolves. */
  keep(requestId: string, asked: Undelivered): Promise<void>;
  forget(requestId: string): Promise<void>;
  all(): Promise<Record<string, Undelivered>>;
}

const STORE = 'requests';

/** In the page's own IndexedDB. Every call rejects where there is none. */
export function askedRequests(name: string): AskedRequests {
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
    keep: (requestId, asked) => write((store) => store.put(asked, requestId)),
    forget: (requestId) => write((store) => store.delete(requestId)),
    async all() {
      // Opening creates the database, and the next page load looks into it if it exists.
      if (!opened && !(await exists())) return {};
      const store = (await open()).transaction(STORE).objectStore(STORE);
      const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
      return Object.fromEntries(keys.map((key, index) => [String(key), values[index] as Undelivered]));
    },
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
