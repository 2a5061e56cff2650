/** Which wallets a site may see. */
import { settled, type Database } from './database.ts';
import { LinkRecord, WalletRecord } from './records.ts';
import type { HeldWallet, SiteLinks } from './types.ts';
import { toWallet, walletOrder } from './wallet-list.ts';

export function openLinks(db: Database): SiteLinks {
  const change = (origin: string, next: (ids: string[]) => Iterable<string>) =>
    db.write(['links'], async (tx) => {
      const walletIds = [...new Set(next(await read(tx, origin)))];
      const store = tx.objectStore('links');
      if (walletIds.length) await settled(store.put({ origin, walletIds } satisfies LinkRecord));
      else await settled(store.delete(origin));
    });

  return {
    linked(origin, archived = false, id) {
      return db.read(['links', 'wallets'], async (tx): Promise<HeldWallet[]> => {
        const store = tx.objectStore('wallets');
        const records: unknown[] = await Promise.all(
          (await read(tx, origin))
            .filter((each) => id === undefined || each === id)
            .map((each) => settled(store.get(each))),
        );
        return records
          .flatMap((record) => (record === undefined ? [] : [WalletRecord.parse(record)]))
          .filter((record) => archived || !record.archived)
          .sort(walletOrder)
          .map(toWallet);
      });
    },
    link: (origin, ids) => change(origin, (before) => [...before, ...ids]),
    setLinked: (origin, ids) => change(origin, () => ids),
    unlink: (origin, id) => change(origin, (before) => before.filter((other) => other !== id)),
  };
}

async function read(tx: IDBTransaction, origin: string): Promise<string[]> {
  const record: unknown = await settled(tx.objectStore('links').get(origin));
  return record === undefined ? [] : LinkRecord.parse(record).walletIds;
}
