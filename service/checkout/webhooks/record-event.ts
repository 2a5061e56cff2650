/** Writes what happened beside the change itself: both are there, or neither. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { EventType, PaymentEvent } from '../../../src/api/webhook.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import { describeSession } from '../sessions/describe-session.ts';

export interface Happened {
  /** As it is after the change. */
  session: SessionRow;
  type: EventType;
  /** Why it was declined or cancelled; null otherwise. */
  reason: string | null;
}

/**
 * In the transaction of the change; its session's row is locked. The locks on the receivers keep one that is being switched off or
 * deleted from getting a delivery that nobody would send, or from failing the payment.
 */
export async function recordEvent(tx: Database, { session, type, reason }: Happened): Promise<void> {
  const { sequence } = await tx
    .updateTable('checkout_sessions')
    .set((is) => ({ sequence: is('sequence', '+', 1) }))
    .where('id', '=', session.id)
    .returning('sequence')
    .executeTakeFirstOrThrow();
  const at = new Date();
  const event: PaymentEvent = {
    id: `evt_${randomBytes(18).toString('base64url')}`,
    type,
    timestamp: at.toISOString(),
    data: { sequence, session: describeSession(session), reason },
  };
  await tx
    .insertInto('events')
    .values({
      id: event.id,
      session_id: session.id,
      application_id: session.application_id,
      type,
      sequence,
      body: JSON.stringify(event),
      created_at: at,
    })
    .execute();
  await sql`insert into deliveries (id, event_id, webhook_id, next_attempt_at)
    select gen_random_uuid()::text, ${event.id}, id, now() from webhooks
    where application_id = ${session.application_id} and disabled_at is null for share`.execute(tx);
}
