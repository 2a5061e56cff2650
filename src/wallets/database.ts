/**
 * IndexedDB behind promises: migrations, strict durability, other tabs, and errors that say what to do.
 * Browsers may close a connection at any time (another tab upgrades, the user clears data), so it is reopened
 * when needed.
 */
import type { Limit } from '../base/clock.ts';
import { ConnectError } from '../base/errors.ts';
import type { Area } from './types.ts';

export type Migration = (db: IDBDatabase, transaction: IDBTransaction) => unknown;

export const MIGRATIONS: readonly Migration[] = [
  (db) => {
    // `vault`: the seed and the ways in; `attempts`: the count of wrong PINs.
    db.createObjectStore('vault');
    const wallets = db.createObjectStore('wallets', { keyPath: 'id' });
    wallets.createIndex('address', ['secretType', 'address'], { unique: true });
    db.createObjectStore('links', { keyPath: 'origin' });
    const journal = db.createObjectStore('journal', { keyPath: ['origin', 'requestId'] });
    journal.createIndex('state', 'state');
    journal.createIndex('at', 'at');
    const activity = db.createObjectStore('activity', { keyPath: 'hash' });
    activity.createIndex('walletId', 'walletId');
  },
  // A key may have the same address on several networks of its chain.
  (_db, transaction) => transaction.objectStore('wallets').deleteIndex('address'),
  // A vault may have no PIN. Nothing is rewritten, but older code, which would call such a vault damaged, must not open it.
  () => {},
  // Known recipients. `key` is the address in lower case.
  (db) => db.createObjectStore('recipients', { keyPath: ['secretType', 'key'] }),
  // What came to a wallet, and what it signed besides transactions: see `history.ts`.
  (db) => {
    db.createObjectStore('history', { keyPath: 'id' }).createIndex('walletId', 'walletId');
  },
  // What this device knows of the encrypted copy: see `src/sync/device-copy.ts`. Empty while there is none.
  (db) => db.createObjectStore('sync'),
];

type Store = Exclude<Area, 'settings'>;

export interface Database {
  readonly name: string;
  read<T>(stores: readonly Store[], work: (tx: IDBTransaction) => Promise<T>): Promise<T>;
  /** What is written is on disk (`durability: 'strict'`) before it resolves. If `work` throws, nothing is written. */
  write<T>(stores: readonly Store[], work: (tx: IDBTransaction) => Promise<T>): Promise<T>;
  /**
   * Writes, reads back and removes a record: throws `storage.unavailable` before anything is created that
   * could be lost.
   */
  probe(): Promise<void>;
  announce(areas: readonly Area[]): void;
  onChange(listener: (areas: readonly Area[]) => void): () => void;
}

/** How long another tab may hold up an upgrade. */
const BLOCKED_MS = 5000;
/** As large as a vault with some hundred wallets. */
const PROBE_BYTES = 65_536;

/** Resolves with a request's result. Await nothing else inside a transaction: it commits when idle. */
export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Rejects with `storage.unavailable` if the database cannot be opened. */
export async function openDatabase(
  name: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Database> {
  let connection: Promise<IDBDatabase> | undefined;
  const connect = () => {
    connection ??= open(name, migrations, forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    return connection;
  };
  const forget = () => {
    connection = undefined;
  };

  const begin = async (stores: readonly Store[], mode: IDBTransactionMode): Promise<IDBTransaction> => {
    const db = await connect();
    try {
      return db.transaction(stores, mode, { durability: 'strict' });
    } catch (error) {
      // The connection was closed after we obtained it.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      forget();
      return (await connect()).transaction(stores, mode, { durability: 'strict' });
    }
  };

  const run = async <T>(
    stores: readonly Store[],
    mode: IDBTransactionMode,
    work: (tx: IDBTransaction) => Promise<T>,
  ): Promise<T> => {
    try {
      return await commit(await begin(stores, mode), work);
    } catch (error) {
      throw error instanceof DOMException ? await unavailable(error) : error;
    }
  };

  const listeners = new Set<(areas: readonly Area[]) => void>();
  const channel = new BroadcastChannel(name);
  const notify = (areas: readonly Area[]) => {
    // A throwing listener does not concern the caller: the write is done.
    for (const listener of listeners) queueMicrotask(() => listener(areas));
  };
  channel.onmessage = ({ data }: MessageEvent<readonly Area[]>) => notify(data);

  const database: Database = {
    name,
    read: (stores, work) => run(stores, 'readonly', work),
    async write(stores, work) {
      const result = await run(stores, 'readwrite', work);
      database.announce(stores);
      return result;
    },
    async probe() {
      const bytes = crypto.getRandomValues(new Uint8Array(PROBE_BYTES));
      // The key is unique because another tab may probe, too.
      const key = `probe ${crypto.randomUUID()}`;
      await run(['vault'], 'readwrite', (tx) => settled(tx.objectStore('vault').put(bytes, key)));
      const read: unknown = await run(['vault'], 'readonly', (tx) =>
        settled(tx.objectStore('vault').get(key)),
      );
      await run(['vault'], 'readwrite', (tx) => settled(tx.objectStore('vault').delete(key)));
      if (!(read instanceof Uint8Array) || read.some((byte, i) => byte !== bytes[i]))
        throw await unavailable();
    },
    announce(areas) {
      channel.postMessage(areas);
      notify(areas);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  await connect();
  return database;
}

/** The last work of each name, for browsers without Web Locks. */
const tails = new Map<string, Promise<unknown>>();

/** Runs work one at a time: across all tabs of this origin by Web Locks, or within this page in browsers without them. */
export function exclusive<T>(
  name: string,
  work: () => Promise<T>,
  locks: LockManager | null = navigator.locks ?? null,
): Promise<T> {
  if (locks) return locks.request(name, work) as Promise<T>;
  const result = (tails.get(name) ?? Promise.resolve()).then(work);
  const tail: Promise<unknown> = result
    .catch(() => undefined)
    .then(() => tails.get(name) === tail && tails.delete(name));
  tails.set(name, tail);
  return result;
}

function open(name: string, migrations: readonly Migration[], closed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let request: IDBOpenDBRequest;
    try {
      // Throws synchronously where storage is denied to the page, or there is no IndexedDB.
      request = indexedDB.open(name, migrations.length);
    } catch (cause) {
      void unavailable(cause).then(reject, reject);
      return;
    }
    let late: ReturnType<typeof setTimeout> | number | undefined;
    let gaveUp = false;
    request.onblocked = () => {
      late ??= setTimeout(
        () => {
          gaveUp = true;
          reject(
            new ConnectError(
              'storage.unavailable',
              'The wallet is being updated and another tab still uses the old version. Close its other tabs and windows, then try again.',
              { reason: 'blocked' },
            ),
          );
        },
        BLOCKED_MS,
        'limit' satisfies Limit,
      );
    };
    request.onupgradeneeded = ({ oldVersion }) => {
      try {
        for (const migrate of migrations.slice(oldVersion)) migrate(request.result, request.transaction!);
      } catch (error) {
        reject(error);
        request.transaction!.abort();
      }
    };
    request.onerror = () => {
      clearTimeout(late);
      void unavailable(request.error).then(reject, reject);
    };
    request.onsuccess = () => {
      clearTimeout(late);
      const db = request.result;
      if (gaveUp) {
        db.close();
        return;
      }
      // Another tab upgrades or deletes the database: it waits for us.
      db.onversionchange = () => {
        db.close();
        closed();
      };
      db.onclose = closed;
      resolve(db);
    };
  });
}

async function commit<T>(tx: IDBTransaction, work: (tx: IDBTransaction) => Promise<T>): Promise<T> {
  const done = new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new DOMException('The transaction was aborted.', 'AbortError'));
  });
  let result: T;
  try {
    result = await work(tx);
  } catch (error) {
    const aborted = done.catch(() => undefined);
    try {
      tx.abort();
    } catch {
      // A failed request has aborted it already.
    }
    await aborted;
    throw error;
  }
  await done;
  return result;
}

async function unavailable(cause?: unknown): Promise<ConnectError> {
  return (await import('./unavailable.ts')).unavailable(cause);
}
