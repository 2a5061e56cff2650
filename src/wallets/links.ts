/** Which wallets a site may see. */
import { settled, type Database } from './database.ts';
import { LinkRecord, WalletRecord } from './records.ts';
import type { HeldWallet, LinkNetwork, SiteLinks } from './types.ts';
import { toWallet, walletOrder } from './wallet-list.ts';

export function openLinks(
  db: Database,
  now: () => number,
): Omit<SiteLinks, 'sites' | 'servedSites' | 'unlinkSite'> {
  const change = (origin: string, next: (ids: string[]) => Iterable<string>, network?: LinkNetwork) =>
    db.write(['links'], async (tx) => {
      const before = await read(tx, origin);
      const walletIds = [...new Set(next(before.walletIds))];
      const networks = network
        ? [...(before.networks ?? []).filter((one) => one.secretType !== network.secretType), network]
        : before.networks;
      const store = tx.objectStore('links');
      if (walletIds.length)
        await settled(
          store.put({
            origin,
            walletIds,
            since: before.walletIds.length ? before.since : now(),
            ...(networks && { networks }),
          } satisfies LinkRecord),
        );
      else await settled(store.delete(origin));
    });

  return {
    linked(origin, archived = false, id) {
      return db.read(['links', 'wallets'], async (tx): Promise<HeldWallet[]> => {
        const store = tx.objectStore('wallets');
        const records: unknown[] = await Promise.all(
          (await read(tx, origin)).walletIds
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
    setLinked: (origin, ids, network) => change(origin, () => ids, network),
    linkNetworks: (origin) => db.read(['links'], async (tx) => (await read(tx, origin)).networks ?? []),
    unlink: (origin, id) => change(origin, (before) => before.filter((other) => other !== id)),
  };
}

async function read(tx: IDBTransaction, origin: string): Promise<LinkRecord> {
  const record: unknown = await settled(tx.objectStore('links').get(origin));
  return record === undefined ? { origin, walletIds: [] } : LinkRecord.parse(record);
}
