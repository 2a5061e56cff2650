/**
 * A wallet's incoming payments, as nodes reported them, and what it signed besides transactions. Stored because
 * nodes may stop reporting them, and so that the next search begins where the last one ended.
 */
import type { Database } from './database.ts';
import { settled } from './database.ts';
import type { History, ReceivedRecord, SignatureRecord } from './types.ts';

/** The record of a wallet's payments, under the wallet's id. */
interface Received {
  id: string;
  /** Key of the index `walletId`, by which signatures are found. */
  walletId?: undefined;
  items: ReceivedRecord[];
  /** The senders of all payments, including dust and those dropped for their age. */
  senders: string[];
  cursor?: number | undefined;
}

/** The most payments that are kept: anybody can send any number of them. */
const MAX = 500;
const MAX_SENDERS = 1000;

export function openHistory(db: Database): History {
  const ofWallet = async (tx: IDBTransaction, id: string): Promise<Received> =>
    (await settled(tx.objectStore('history').get(id))) ?? { id, items: [], senders: [] };
  const read = (id: string): Promise<Received> => db.read(['history'], (tx) => ofWallet(tx, id));

  return {
    async received(walletId) {
      return (await read(walletId)).items;
    },
    async cursor(walletId) {
      return (await read(walletId)).cursor;
    },
    addReceived(walletId, { items: reported, cursor }) {
      return db.write(['history'], async (tx) => {
        const before = await ofWallet(tx, walletId);
        const items = new Map<string, ReceivedRecord>();
        for (const item of before.items) if (item.at !== undefined) items.set(item.id, item);
        for (const item of reported) {
          const worth = before.items.find(({ id }) => id === item.id)?.worth;
          items.set(item.id, worth ? { ...item, worth } : item);
        }
        const newest = [...items.values()].sort((a, b) => timeOf(b) - timeOf(a));
        // Dust must not displace real payments.
        const { something, nothing } = apart(newest);
        const kept = new Set([...something, ...nothing].slice(0, MAX));
        const after = newest.filter((item) => kept.has(item));
        const senders = new Set(reported.flatMap(({ from }) => from ?? []).concat(before.senders));
        const record: Received = {
          id: walletId,
          items: after,
          senders: [...senders].slice(0, MAX_SENDERS),
          cursor: cursor ?? before.cursor,
        };
        await settled(tx.objectStore('history').put(record));
        return after;
      });
    },
    setWorth(walletId, worth) {
      return db.write(['history'], async (tx) => {
        const before = await ofWallet(tx, walletId);
        const items = before.items.map((item) => {
          const value = worth.get(item.id);
          return value ? { ...item, worth: value } : item;
        });
        await settled(tx.objectStore('history').put({ ...before, items }));
      });
    },
    async signatures(walletId) {
      const records: SignatureRecord[] = await db.read(['history'], (tx) =>
        settled(tx.objectStore('history').index('walletId').getAll(walletId)),
      );
      return records.sort((a, b) => b.at - a.at);
    },
    async addSignature(record) {
      await db.write(['history'], (tx) => settled(tx.objectStore('history').put(record)));
    },
  };
}

/** Pending payments count as the latest. */
function timeOf({ at = Number.MAX_SAFE_INTEGER }: ReceivedRecord): number {
  return at;
}

function apart(items: readonly ReceivedRecord[]): Record<'something' | 'nothing', ReceivedRecord[]> {
  return { something: items.filter(({ dust }) => !dust), nothing: items.filter(({ dust }) => dust) };
}
