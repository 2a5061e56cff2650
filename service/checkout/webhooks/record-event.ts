/** Writes an event and its deliveries in the transaction of the change that it tells of: both are stored, or neither. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { EventType, PaymentEvent } from '../../../src/api/webhook.ts';
import type { Database } from '../../database/database.ts';

export interface NewEvent {
  applicationId: string;
  sessionId: string;
  type: EventType;
  data: PaymentEvent['data'];
}

/**
 * The locks on the receivers keep one that is being switched off or deleted from getting a delivery that nobody would send, and from
 * failing the payment.
 */
export async function recordEvent(
  tx: Database,
  { applicationId, sessionId, type, data }: NewEvent,
): Promise<void> {
  const at = new Date();
  const event: PaymentEvent = {
    id: `evt_${randomBytes(18).toString('base64url')}`,
    type,
    timestamp: at.toISOString(),
    data,
  };
  await tx
    .insertInto('events')
    .values({
      id: event.id,
      session_id: sessionId,
      application_id: applicationId,
      type,
      sequence: data.sequence,
      body: JSON.stringify(event),
      created_at: at,
    })
    .execute();
  await sql`insert into deliveries (id, owner_id, event_id, webhook_id, next_attempt_at)
    select gen_random_uuid()::text, application_id, ${event.id}, id, now() from webhooks
    where application_id = ${applicationId} and disabled_at is null for share`.execute(tx);
}
