/** What was approved, by site and request id. It is on disk before anything is broadcast, so a crash loses nothing and repeats nothing. */
import type { Action } from '../base/actions.ts';
import { ConnectError } from '../base/errors.ts';
import { canonicalHash } from '../base/canonical.ts';
import { settled, type Database } from './database.ts';
import type { Journal, JournalEntry } from './types.ts';

/** An entry as it is stored. */
type JournalRecord = JournalEntry & { bodyHash: string };

/** How long an answer that the page has acknowledged is kept, so that the same id still gives the same answer. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

export function openJournal(db: Database, now: () => number): Journal {
  const hash = (action: Action, params: unknown) => canonicalHash({ action, params });

  return {
    async find(origin, requestId, action, params) {
      const bodyHash = await hash(action, params);
      const record = await db.read(['journal'], (tx) => read(tx, origin, requestId));
      if (record && record.bodyHash !== bodyHash) throw conflict();
      return record;
    },
    async get(origin, requestId) {
      return db.read(['journal'], (tx) => read(tx, origin, requestId));
    },
    async put(entry) {
      const bodyHash = await hash(entry.action, entry.params);
      const at = now();
      await db.write(['journal', 'wallets'], async (tx) => {
        const before = await read(tx, entry.origin, entry.requestId);
        if (before && before.bodyHash !== bodyHash) throw conflict();
        // Another tab finished this request: its answer counts.
        if (before?.state === 'done' && entry.state === 'signed') throw conflict();
        const after: JournalRecord = { ...entry, bodyHash, at, acknowledged: before?.acknowledged ?? false };
        await settled(tx.objectStore('journal').put(after));
        await touch(tx, entry.walletId, at);
        await forgetOld(tx, at - KEEP_MS);
      });
    },
    async acknowledge(origin, requestId) {
      await db.write(['journal'], async (tx) => {
        const record = await read(tx, origin, requestId);
        if (record) await settled(tx.objectStore('journal').put({ ...record, acknowledged: true }));
        await forgetOld(tx, now() - KEEP_MS);
      });
    },
    async forget(origin, requestId) {
      await db.write(['journal'], (tx) => settled(tx.objectStore('journal').delete([origin, requestId])));
    },
    async pending(origin, requestIds) {
      const records = await db.read(['journal'], (tx) =>
        Promise.all([...new Set(requestIds)].map((id) => read(tx, origin, id))),
      );
      return records.flatMap((entry) => (entry && !entry.acknowledged ? [entry] : []));
    },
    async last(origin, networkIds) {
      const ofSite = IDBKeyRange.bound([origin], [origin, []]);
      const records: JournalRecord[] = await db.read(['journal'], (tx) =>
        settled(tx.objectStore('journal').getAll(ofSite)),
      );
      return records.filter((entry) => networkIds.includes(entry.networkId)).sort((a, b) => b.at - a.at)[0];
    },
    async unsent() {
      const records: JournalRecord[] = await db.read(['journal'], (tx) =>
        settled(tx.objectStore('journal').index('state').getAll('signed')),
      );
      return records.sort((a, b) => b.at - a.at);
    },
  };
}

function read(tx: IDBTransaction, origin: string, requestId: string): Promise<JournalRecord | undefined> {
  return settled(tx.objectStore('journal').get([origin, requestId]));
}

function conflict(): ConnectError {
  return new ConnectError('request.conflict', 'This request id was used for another request. Use a new one.');
}

/** The wallet was used: it moves up in lists. */
async function touch(tx: IDBTransaction, walletId: string, at: number): Promise<void> {
  const wallet = await settled(tx.objectStore('wallets').get(walletId));
  if (wallet) await settled(tx.objectStore('wallets').put({ ...wallet, lastUsed: at }));
}

/** A signed transaction that may never have been sent is kept, acknowledged or not, until the user decides. */
function forgetOld(tx: IDBTransaction, before: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = tx.objectStore('journal').index('at').openCursor(IDBKeyRange.upperBound(before));
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) {
        resolve();
        return;
      }
      const { acknowledged, state } = cursor.value as JournalRecord;
      if (acknowledged && state !== 'signed') cursor.delete();
      cursor.continue();
    };
  });
}
