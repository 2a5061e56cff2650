/**
 * A wallet's incoming payments, as nodes reported them, and what it signed besides transactions. Stored because
 * nodes may stop reporting them, and so that the next search begins where the last one ended. And the user's notes on payments.
 */
import * as z from 'zod/mini';
import type { CoinLook } from '../chains/nodes/incoming.ts';
import { type Database, settled } from './database.ts';
import type { History, ReceivedRecord, SignatureRecord, Notes } from './types.ts';
import { idsOf, keysOf } from './wallet-list.ts';
import { utf8 } from '../base/bytes.ts';
import { RequestInvalidError } from '../base/errors.ts';
import { aesKey, mac, seal, unseal } from './cipher.ts';
import { findVault, Sealed } from './records.ts';

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

const NOTE_LENGTH = 200;

/** In the store `history`, below every key of a wallet's payments. A record of another version is left as it is. */
const NoteRecord = z.object({ id: z.string(), version: z.literal(1), sealed: Sealed });
type NoteRecord = z.infer<typeof NoteRecord>;

const prefixOf = (walletId: string): string => `note ${walletId} `;

/**
 * They are encrypted under a key of this browser that cannot be extracted, so that a copy of its data does not tell them; like the activity
 * beside which they are shown, they are readable without the PIN. Back-up files do not hold them.
 */
function openNotes(db: Database): Notes {
  /** Undefined without a vault in this browser. */
  const readKey = async (): Promise<CryptoKey | undefined> => {
    const vault = await db.read(['vault'], findVault);
    return vault && aesKey(await mac(vault.deviceKey, utf8('carabiner notes 1')));
  };
  return {
    async notes(walletId) {
      const key = await readKey();
      if (!key) return undefined;
      const prefix = prefixOf(walletId);
      const records: unknown[] = await db.read(['history'], (tx) =>
        settled(tx.objectStore('history').getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`))),
      );
      const notes = new Map<string, string>();
      for (const record of records) {
        const { data } = NoteRecord.safeParse(record);
        // One that cannot be opened is of an earlier vault.
        const plain = data && (await unseal(key, data.id, data.sealed).catch(() => undefined));
        if (plain) notes.set(data.id.slice(prefix.length), new TextDecoder().decode(plain));
      }
      return notes;
    },
    async setNote(walletId, entryId, text) {
      const note = checkNote(text);
      const id = prefixOf(walletId) + entryId;
      const key = await readKey();
      if (!key) return;
      const record: NoteRecord = { id, version: 1, sealed: await seal(key, id, utf8(note)) };
      await db.write(['history'], async (tx) => {
        const store = tx.objectStore('history');
        if (note) await settled(store.put(record));
        else await settled(store.delete(id));
      });
    },
  };
}

function checkNote(text: string): string {
  // Direction marks and control characters could make a row of the list look like another one.
  const note = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  if (note.length > NOTE_LENGTH)
    throw new RequestInvalidError([{ path: 'note', message: `must have at most ${NOTE_LENGTH} characters` }]);
  return note;
}
