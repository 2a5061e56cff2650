/** How a refund changes: pending → succeeded or failed, and succeeded → failed if the provider retracts it; each with its event. */
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { RefundRow, SessionRow } from '../../database/schema.ts';
import type { RefundOutcome } from '../sessions/payment-provider.ts';
import { recordSessionEvent } from '../sessions/session-event.ts';
import { withSession } from '../sessions/transitions.ts';
import { readRefund } from './describe-refund.ts';
import { isOfPayment } from './refundable.ts';

/** The outcome of a refund; for one from a wallet, with the transaction that took effect. */
export type Outcome = RefundOutcome & { transactionId?: string };

/** The session's lock orders concurrent outcomes. An outcome that is already recorded changes nothing. */
export function settleRefund(
  db: Database,
  { id, session_id }: Pick<RefundRow, 'id' | 'session_id'>,
  outcome: Outcome,
): Promise<void> {
  return withSession(db, 'id', session_id, (tx, session) => followRefund(tx, session!, id, outcome));
}

/** Call it in the transaction that holds the session's lock. */
export async function followRefund(
  tx: Database,
  session: SessionRow,
  id: string,
  { state, providerRefund, reason, transactionId }: Outcome,
): Promise<void> {
  const refund = await tx
    .selectFrom('refunds')
    .select(['state', 'provider_refund'])
    .where('id', '=', id)
    .where('session_id', '=', session.id)
    .executeTakeFirst();
  if (!refund) return;
  const isNews =
    refund.state === 'pending' ? state !== 'pending' : refund.state === 'succeeded' && state === 'failed';
  if (providerRefund !== null && refund.provider_refund === null)
    await tx.updateTable('refunds').set({ provider_refund: providerRefund }).where('id', '=', id).execute();
  if (!isNews) return;
  await tx
    .updateTable('refunds')
    .set({
      state,
      failure: state === 'failed' ? (reason ?? 'failed') : null,
      ...(transactionId === undefined ? {} : { transaction_id: transactionId }),
      next_look_at: null,
      settled_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
  await recordSessionEvent(tx, {
    session: await countRefunded(tx, session),
    type: state === 'succeeded' ? 'refund.succeeded' : 'refund.failed',
    reason: state === 'failed' ? (reason ?? 'failed') : null,
    refund: await readRefund(tx, session.id, id),
  });
}

/** Records in the session how much of its payment was refunded. */
function countRefunded(tx: Database, session: SessionRow): Promise<SessionRow> {
  const back = sql`(select coalesce(sum(amount), 0) from refunds where session_id = ${session.id}
    and state = 'succeeded' and ${isOfPayment(session)})`;
  const total = sql`coalesce((select sum(amount) from wallet_transfers where session_id = ${session.id}
    and state = 'paid'), amount_total)`;
  return tx
    .updateTable('checkout_sessions')
    .set({
      refunded: sql<
        SessionRow['refunded']
      >`case when ${back} = 0 then 'none' when ${back} < ${total} then 'partly' else 'fully' end`,
    })
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
