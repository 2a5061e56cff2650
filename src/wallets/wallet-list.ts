/** The wallets of the vault, without their keys. */
import { dateParts } from '../api/date-parts.ts';
import { CARDS } from '../chains/secret-type.ts';
import { settled, type Database } from './database.ts';
import { WalletRecord } from './records.ts';
import type { HeldWallet, WalletList } from './types.ts';

export function openWalletList(db: Database): Pick<WalletList, 'wallets' | 'wallet'> {
  return {
    async wallets({ archived = false, secretType } = {}) {
      const all = await db.read(['wallets'], readWallets);
      return distinctWallets(all)
        .filter((one) => one.archived === archived && (!secretType || one.secretType === secretType))
        .sort(walletOrder)
        .map(toWallet);
    },
    wallet(id) {
      return db.read(['wallets'], async (tx) => {
        const record: unknown = await settled(tx.objectStore('wallets').get(id));
        return record === undefined ? undefined : toWallet(WalletRecord.parse(record));
      });
    },
  };
}

export async function readWallets(tx: IDBTransaction): Promise<WalletRecord[]> {
  const all: unknown[] = await settled(tx.objectStore('wallets').getAll());
  return all.map((record) => WalletRecord.parse(record));
}

/**
 * The same for records of one wallet: older versions made one for each network that a site asked for, with the same address on all. Sites may
 * know any of their ids.
 */
export function walletKey({ id, secretType, address }: WalletRecord): string {
  return CARDS[secretType].addressPerNetwork ? id : `${secretType} ${address}`;
}

/** One record of each wallet: one that is not archived before one that is, then the seed's before an imported key's, then the oldest. */
export function distinctWallets(all: readonly WalletRecord[]): WalletRecord[] {
  const wallets = new Map<string, WalletRecord>();
  const ranked = [...all].sort(
    (a, b) =>
      Number(a.archived) - Number(b.archived) ||
      Number(a.index === null) - Number(b.index === null) ||
      a.createdAt - b.createdAt,
  );
  for (const record of ranked) {
    const wallet = wallets.get(walletKey(record));
    if (!wallet) wallets.set(walletKey(record), { ...record });
    else if (!record.archived) {
      wallet.primary ||= record.primary;
      wallet.lastUsed = Math.max(wallet.lastUsed, record.lastUsed);
    }
  }
  return [...wallets.values()];
}

type Twin = Pick<WalletRecord, 'id' | 'network'>;

/**
 * By connection and id, the records of a wallet: each question about one wallet asks for them, and reading a thousand takes 20 ms. They stay as
 * they are: only older versions made several of one wallet, and none changes its address or network.
 */
const twins = new WeakMap<IDBDatabase, ReadonlyMap<string, readonly Twin[]>>();

/**
 * All ids of the wallets with these ids, each with the default network of its record; a wallet of the service has only its own. Needs the
 * store `wallets`.
 */
export async function idsOf(tx: IDBTransaction, walletIds: readonly string[]): Promise<readonly Twin[]> {
  let byId = twins.get(tx.db);
  if (!walletIds.every((id) => byId?.has(id))) {
    const all = await readWallets(tx);
    const byKey = new Map<string, Twin[]>(all.map((record) => [walletKey(record), []]));
    for (const record of all) byKey.get(walletKey(record))!.push(record);
    byId = new Map(all.map((record) => [record.id, byKey.get(walletKey(record))!]));
    twins.set(tx.db, byId);
  }
  return [...new Set(walletIds.flatMap((id) => byId?.get(id) ?? [{ id }]))];
}

/** The keys of what `history.ts` keeps of payments to a wallet with this id, on all networks. */
export function keysOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound(id, `${id} \uffff`);
}

export function toWallet(record: WalletRecord): HeldWallet {
  const { id, address, secretType, network, index, archived, alias, primary, createdAt } = record;
  return {
    id,
    address,
    walletType: 'BROWSER',
    secretType,
    createdAt: dateParts(createdAt),
    archived,
    alias,
    description: '',
    primary,
    hasCustomPin: false,
    status: archived ? 'ARCHIVED' : 'ACTIVE',
    network,
    imported: index === null,
  };
}

/** Sorts the primary wallet first, then as the user has moved them, then by last use. */
export function walletOrder(a: WalletRecord, b: WalletRecord): number {
  // Two without a rank differ by NaN.
  const byRank = (a.rank ?? Infinity) - (b.rank ?? Infinity);
  return Number(b.primary) - Number(a.primary) || byRank || b.lastUsed - a.lastUsed;
}
