/**
 * The database's shape, one step per version. A released step is never edited: people's keys depend on it.
 * `test/unit/wallets/v1.json` is a vault as version 1 wrote it, and must open forever.
 */
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
