/**
 * A wallet's incoming payments, as nodes reported them, and what it signed besides transactions. Stored because
 * nodes may stop reporting them, and so that the next search begins where the last one ended.
 */
import type { CoinLook } from '../chains/nodes/incoming.ts';
import type { Database } from './database.ts';
import { settled } from './database.ts';
import { openNotes } from './notes.ts';
import type { History, ReceivedRecord, SignatureRecord } from './types.ts';
import { idsOf, keysOf } from './wallet-list.ts';

/** The record of a wallet's payments on one network: under the wallet's id for its default network, else under `<id> <network>`. */
interface Received {
  id: string;
  /** Key of the index `walletId`, by which signatures are found. */
  walletId?: undefined;
  items: ReceivedRecord[];
  /** The senders of all payments, including dust and those dropped for their age. */
  senders: string[];
  cursor?: number | undefined;
  /** Absent where no coins are looked for, and in records of older versions. */
  looks?: readonly CoinLook[] | undefined;
}

/** The most payments that are kept: anybody can send any number of them. */
const MAX = 500;
const MAX_SENDERS = 1000;

export function openHistory(db: Database): History {
  return {
    async received(walletId) {
      const items = await db.read(['history', 'wallets'], (tx) => receivedBy(tx, walletId));
      return items.sort((a, b) => timeOf(b) - timeOf(a));
    },
    async cursor(walletId, network) {
      return db.read(['history', 'wallets'], async (tx) => {
        const { cursor } = await readRecord(tx, await keyOf(tx, walletId, network));
        return cursor;
      });
    },
    addReceived(walletId, { items: reported, cursor }, network) {
      return db.write(['history', 'wallets'], async (tx) => {
        const before = await readRecord(tx, await keyOf(tx, walletId, network));
        const kept = before.items.filter(({ at }) => at !== undefined);
        return putRecord(tx, { ...before, items: kept, cursor: cursor ?? before.cursor }, reported);
      });
    },
    async coinLooks(walletId, network) {
      return db.read(['history', 'wallets'], async (tx) => {
        const { looks = [] } = await readRecord(tx, await keyOf(tx, walletId, network));
        return looks;
      });
    },
    addCoins(walletId, { items: found, looks, validTo = Infinity }, since, network) {
      return db.write(['history', 'wallets'], async (tx) => {
        const before = await readRecord(tx, await keyOf(tx, walletId, network));
        if (before.looks?.at(-1)?.hash !== since.at(-1)?.hash) return before.items;
        const kept = before.items.filter(({ block = 0 }) => block <= validTo);
        return putRecord(tx, { ...before, items: kept, looks }, found);
      });
    },
    setWorth(walletId, worth, network) {
      return db.write(['history', 'wallets'], async (tx) => {
        const before = await readRecord(tx, await keyOf(tx, walletId, network));
        const items = before.items.map((item) => {
          const value = worth.get(item.id);
          return value ? { ...item, worth: value } : item;
        });
        await settled(tx.objectStore('history').put({ ...before, items }));
      });
    },
    async signatures(walletId) {
      const lists: SignatureRecord[][] = await db.read(['history', 'wallets'], async (tx) => {
        const index = tx.objectStore('history').index('walletId');
        const ids = await idsOf(tx, [walletId]);
        return Promise.all(ids.map(({ id }) => settled(index.getAll(id))));
      });
      return lists.flat().sort((a, b) => b.at - a.at);
    },
    ...openNotes(db),
    async addSignature(record) {
      await db.write(['history'], (tx) => settled(tx.objectStore('history').put(record)));
    },
  };
}

async function readRecord(tx: IDBTransaction, id: string): Promise<Received> {
  return (await settled(tx.objectStore('history').get(id))) ?? { id, items: [], senders: [] };
}

/** Stores the record with these payments, too; returns those that it has then. */
async function putRecord(
  tx: IDBTransaction,
  record: Received,
  more: readonly ReceivedRecord[],
): Promise<ReceivedRecord[]> {
  const items = new Map(record.items.map((item) => [item.id, item]));
  for (const item of more) {
    const { worth } = items.get(item.id) ?? {};
    items.set(item.id, worth ? { ...item, worth } : item);
  }
  const newest = [...items.values()].sort((a, b) => timeOf(b) - timeOf(a));
  // Dust must not displace real payments.
  const { something, nothing } = apart(newest);
  const kept = new Set([...something, ...nothing].slice(0, MAX));
  const after = newest.filter((item) => kept.has(item));
  const senders = new Set(more.flatMap(({ from }) => from ?? []).concat(record.senders));
  const next: Received = { ...record, items: after, senders: [...senders].slice(0, MAX_SENDERS) };
  await settled(tx.objectStore('history').put(next));
  return after;
}

/** The key of a network's record. That of a twin, which an older version made for this network, has what came there before. */
async function keyOf(tx: IDBTransaction, walletId: string, network: string | undefined): Promise<string> {
  if (network === undefined) return walletId;
  const ids = await idsOf(tx, [walletId]);
  return ids.find((one) => one.network === network)?.id ?? `${walletId} ${network}`;
}

/** What came to the wallet on all its networks, each payment once. */
async function receivedBy(tx: IDBTransaction, walletId: string): Promise<ReceivedRecord[]> {
  const ids = await idsOf(tx, [walletId]);
  const items = new Map<string, ReceivedRecord>();
  for (const { id, network: home } of ids) {
    const records: Received[] = await settled(tx.objectStore('history').getAll(keysOf(id)));
    for (const record of records) {
      const network = record.id === id ? home : record.id.slice(id.length + 1);
      for (const item of record.items)
        items.set(`${network} ${item.id}`, network === undefined ? item : { ...item, network });
    }
  }
  return [...items.values()];
}

/** Pending payments count as the latest. */
function timeOf({ at = Number.MAX_SAFE_INTEGER }: ReceivedRecord): number {
  return at;
}

function apart(items: readonly ReceivedRecord[]): Record<'something' | 'nothing', ReceivedRecord[]> {
  return { something: items.filter(({ dust }) => !dust), nothing: items.filter(({ dust }) => dust) };
}
