/** What each wallet did through Carabiner. */
import { settled, type Database } from './database.ts';
import type { Activity, ActivityRecord } from './types.ts';
import { idsOf, keysOf } from './wallet-list.ts';

export function openActivity(db: Database): Activity {
  /** Needs the store `wallets`. */
  const ofWallets = async (tx: IDBTransaction, walletIds: readonly string[]): Promise<ActivityRecord[]> => {
    const index = tx.objectStore('activity').index('walletId');
    const ids = await idsOf(tx, walletIds);
    const lists = await Promise.all(
      ids.map(async ({ id, network }) => {
        const records: ActivityRecord[] = await settled(index.getAll(id));
        return records.map((record) => (network === undefined ? record : { network, ...record }));
      }),
    );
    return lists.flat();
  };
  const read = (walletIds: readonly string[]): Promise<ActivityRecord[]> =>
    db.read(['activity', 'wallets'], (tx) => ofWallets(tx, walletIds));

  async function change(hash: string, news: Parameters<Activity['setReceipt']>[1]): Promise<void> {
    await db.write(['activity', 'wallets'], async (tx) => {
      const store = tx.objectStore('activity');
      const before: ActivityRecord | undefined = await settled(store.get(hash));
      if (!before) return;
      const { arrivals: _, ...changes } = news;
      const { state, replacedBy, expired } = changes;
      // A late answer, or another tab's, does not undo a final state: nobody would ask again.
      const isLate = before.state === 'confirmed' || (isFinal(before.state) && state !== 'confirmed');
      const outcome = isLate ? { ...changes, state: before.state } : changes;
      const included = state === 'confirmed' || (state === 'failed' && replacedBy === undefined && !expired);
      const records: ActivityRecord[] = [{ ...before, ...outcome }];
      // Once one of a chain of replacements is in a block, the others never will be: they use the same nonce.
      if (included)
        for (const rival of line(await ofWallets(tx, [before.walletId]), hash))
          if (rival.state !== 'confirmed') records.push({ ...rival, state: 'failed' });
      for (const { draft, ...record } of records)
        await settled(store.put(isFinal(record.state) || !draft ? record : { ...record, draft }));
    });
  }

  return {
    async list(...walletIds) {
      return (await read(walletIds)).sort((a, b) => b.at - a.at);
    },
    get(hash) {
      return db.read(['activity'], (tx) => settled(tx.objectStore('activity').get(hash)));
    },
    async put(record) {
      await db.write(['activity'], (tx) => settled(tx.objectStore('activity').put(record)));
    },
    setState(hash, state, replacedBy) {
      return change(hash, { state, ...(replacedBy !== undefined && { replacedBy }) });
    },
    setReceipt: change,
    async used(...walletIds) {
      const addresses = (await read(walletIds)).flatMap(({ summary }) =>
        [summary, ...(summary.parts ?? [])].flatMap(({ to, contract }) => [to, contract]),
      );
      return [...new Set(addresses.filter((address) => typeof address === 'string'))];
    },
    async senders(walletId) {
      const records = await db.read(['history', 'wallets'], async (tx) => {
        const store = tx.objectStore('history');
        const ids = await idsOf(tx, [walletId]);
        return Promise.all(ids.map(({ id }) => settled(store.getAll(keysOf(id)))));
      });
      return records.flat().flatMap(({ senders }) => senders);
    },
  };
}

const isFinal = (state: ActivityRecord['state']): boolean => state === 'confirmed' || state === 'failed';

/** The other transactions that `hash` replaced or was replaced by, over any number of steps. */
function line(records: readonly ActivityRecord[], hash: string): ActivityRecord[] {
  const reached = new Set([hash]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const { hash: one, replacedBy } of records)
      if (replacedBy !== undefined && (reached.has(one) || reached.has(replacedBy)))
        reached.add(one).add(replacedBy);
  }
  return records.filter((record) => record.hash !== hash && reached.has(record.hash));
}
