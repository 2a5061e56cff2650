/** The wallets of the vault, without their keys. */
import { dateParts } from '../api/date-parts.ts';
import { settled, type Database } from './database.ts';
import { WalletRecord } from './records.ts';
import type { HeldWallet, WalletList } from './types.ts';

export function openWalletList(db: Database): Pick<WalletList, 'wallets' | 'wallet'> {
  return {
    async wallets(filter = {}) {
      const all = await db.read(['wallets'], readWallets);
      return all
        .filter(
          (one) =>
            one.archived === (filter.archived ?? false) &&
            (!filter.secretType || one.secretType === filter.secretType),
        )
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

/** Sorts the primary wallet first, then by last use. */
export function walletOrder(a: WalletRecord, b: WalletRecord): number {
  return Number(b.primary) - Number(a.primary) || b.lastUsed - a.lastUsed;
}
