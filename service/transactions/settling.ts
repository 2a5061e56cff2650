/** The end of a transaction: its final state and the event of it, in one database transaction. */
import { sql } from 'kysely';
import { type ConnectError, toWire } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import { subjectOf } from '../wallets/stored-wallets.ts';
import type { Service } from '../service.ts';
import type { Notify } from '../webhooks/wallet-events.ts';
import { entryAnswer, sentIn } from './history-entry.ts';
import { type StoredTransaction, kinOfOne, STATES } from './journal.ts';

export type Settling = Pick<Service, 'networks' | 'events'>;

/**
 * A transaction in a block that has its confirmations is final. Of two processes with different outcomes, the first wins: `entry` is as it was read. `error` is the
 * error for the caller, `fee` the actual fee.
 */
export async function settle(
  db: Database,
  { networks, events }: Settling,
  entry: StoredTransaction,
  state: Exclude<StoredTransaction['state'], 'signed' | 'sent'>,
  { error, fee }: { error?: ConnectError; fee?: bigint | undefined } = {},
): Promise<void> {
  const isDecided = state === 'confirmed' || state === 'failed' || state === 'expired';
  await events.with(db, async (tx, notify) => {
    const settled = await tx
      .updateTable('transactions')
      .set({
        state,
        error: error ? JSON.stringify(toWire(error)) : null,
        ...(fee === undefined ? {} : { fee: String(fee) }),
        settled_at: sql<Date>`clock_timestamp()`,
        next_check_at: null,
        mined_block: null,
        confirmations: null,
        // Nothing can replace it any more.
        draft: null,
      })
      .where('id', '=', entry.id)
      .where('state', 'in', isDecided ? ['signed', 'sent'] : [entry.state])
      .returning(['id', 'wallet_id', 'state'])
      .execute();
    await notifySettled(tx, networks, notify, settled);
  });
}

/** Of competing transactions one was mined: the others never will be. */
export async function settleRivals(
  db: Database,
  { networks, events }: Settling,
  { id }: StoredTransaction,
): Promise<void> {
  await events.with(db, async (tx, notify) => {
    const { rows } = await sql<Settled>`${kinOfOne(id)}
      update transactions set state = 'replaced', settled_at = clock_timestamp(), next_check_at = null, draft = null
      where id in (select id from kin) and id <> ${id} and state in ('signed', 'sent')
      returning id, wallet_id, state`.execute(tx);
    await notifySettled(tx, networks, notify, rows);
  });
}

type Settled = Pick<StoredTransaction, 'id' | 'wallet_id' | 'state'>;

async function notifySettled(
  tx: Database,
  { file }: Service['networks'],
  notify: Notify,
  settled: readonly Settled[],
): Promise<void> {
  for (const { id, wallet_id, state } of settled) {
    const status = STATES[state];
    // No node has known it for long, but it may still get into a block: whoever repeated the payment on such an event would pay twice.
    if (status === 'unknown') continue;
    await notify(
      wallet_id,
      status === 'confirmed' ? 'transaction.confirmed' : 'transaction.failed',
      async () => {
        const row = await sentIn(tx).where('t.id', '=', id).executeTakeFirstOrThrow();
        return { wallet: await subjectOf(tx, wallet_id), transaction: entryAnswer(row, file.networks) };
      },
    );
  }
}
