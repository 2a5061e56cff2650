/** Ends the time in which a restored service only reads, and keeps what the chains have that the back-up had not. */
import { audit } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import type { Comparison } from './compare.ts';

export interface WaitingRestore {
  id: string;
  backupAt: Date;
  restoredAt: Date;
}

/** A key of a receiving wallet, and where it goes on. */
export interface MovedKey {
  id: string;
  /** Id in `networks.json`. */
  network: string;
  /** The next index that a session gets. */
  next: number;
  /** The highest index that was paid; null: none. */
  paid: number | null;
  /** Why the chain could not be searched. */
  why?: string;
}

/** The restore that is to be accepted; undefined if there is none. */
export async function waitingRestore(db: Database): Promise<WaitingRestore | undefined> {
  const rows = await db
    .selectFrom('restores')
    .selectAll()
    .where('accepted_at', 'is', null)
    .orderBy('restored_at')
    .execute();
  const last = rows.at(-1);
  if (!last) return undefined;
  // The back-up may have been made before an earlier restore was accepted.
  const backupAt = new Date(Math.min(...rows.map(({ backup_at }) => backup_at.getTime())));
  return { id: last.id, backupAt, restoredAt: last.restored_at };
}

export async function accept(
  db: Database,
  keys: KeyProvider,
  { id, backupAt }: WaitingRestore,
  { wallets, differences }: Comparison,
  moved: readonly MovedKey[],
): Promise<void> {
  const rows = differences.map(({ walletId, ownerId, network, count, transactions }) => ({
    restore_id: id,
    wallet_id: walletId,
    owner_id: ownerId,
    network,
    missing: count,
    transactions: JSON.stringify(transactions),
  }));
  await db.transaction().execute(async (tx) => {
    for (let at = 0; at < rows.length; at += 1000)
      await tx
        .insertInto('restored_wallets')
        .values(rows.slice(at, at + 1000))
        .execute();
    for (const { id: key, next, paid } of moved)
      await tx
        .updateTable('receiving_keys')
        .set({ next_index: next, paid_index: paid })
        .where('id', '=', key)
        .execute();
    // They may have been sent since the back-up was made.
    await tx
      .updateTable('receipt_mails')
      .set({ state: 'unknown', address: null, next_attempt_at: null, settled_at: new Date() })
      .where('state', 'in', ['waiting', 'sending'])
      .execute();
    await tx
      .updateTable('restores')
      .set({ accepted_at: new Date() })
      .where('accepted_at', 'is', null)
      .execute();
    const missing = differences.reduce((sum, { count }) => sum + (count ?? 0), 0);
    const unknown = differences.filter(({ count }) => count === null).length;
    await audit(tx, keys, {
      actor: 'command',
      action: 'database.accepted',
      subject: `restore:${id}`,
      details: { backupAt: backupAt.toISOString(), wallets, missing, unknown },
    });
  });
}
