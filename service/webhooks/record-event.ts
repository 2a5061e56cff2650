/** Writes an event and its deliveries in the transaction of the change that it tells of: both are stored, or neither. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { WalletEvent, WalletEventType } from '../../src/api/wallet-event.ts';
import type { EventType, PaymentEvent } from '../../src/api/webhook.ts';
import type { Database } from '../database/database.ts';

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
  const { at, ...event } = eventOf(type, data);
  await tx
    .insertInto('events')
    .values({
      ...event,
      type,
      session_id: sessionId,
      application_id: applicationId,
      sequence: data.sequence,
      created_at: at,
    })
    .execute();
  await sql`insert into deliveries (id, event_id, webhook_id, next_attempt_at)
    select gen_random_uuid()::text, ${event.id}, id, now() from webhooks
    where application_id = ${applicationId} and disabled_at is null and events is null for share`.execute(tx);
}

/** `webhook-id` of all its deliveries, and the body. */
function eventOf(type: string, data: object): { id: string; body: string; at: Date } {
  const at = new Date();
  const id = `evt_${randomBytes(18).toString('base64url')}`;
  return { id, body: JSON.stringify({ id, type, timestamp: at.toISOString(), data }), at };
}

export type WalletEventData<T extends WalletEventType> = Extract<WalletEvent, { type: T }>['data'];

/** The receivers of an event, locked as those of `recordEvent` are. */
export interface Audience {
  applicationId: string;
  walletId: string;
  receivers: string[];
}

/** Who is sent events of this type of a wallet; undefined where nobody is: then the event need not be made. */
export async function audienceOf(
  tx: Database,
  walletId: string,
  type: WalletEventType,
): Promise<Audience | undefined> {
  const { rows } = await sql<{ id: string; application: string }>`
    select h.id, h.application_id as application from wallets w join webhooks h on h.application_id = w.application_id
    where w.id = ${walletId} and h.disabled_at is null and ${type} = any(h.events)
      and (h.all_wallets or w.owner_id = w.application_id)
      and not exists (select from clients c where c.id = h.application_id and c.revoked_at is not null)
    for share of h`.execute(tx);
  const [first] = rows;
  return first && { applicationId: first.application, walletId, receivers: rows.map(({ id }) => id) };
}

export async function recordWalletEvent<T extends WalletEventType>(
  tx: Database,
  { applicationId, walletId, receivers }: Audience,
  type: T,
  data: WalletEventData<T>,
): Promise<void> {
  const { at, ...event } = eventOf(type, data);
  await tx
    .insertInto('events')
    .values({
      ...event,
      type,
      session_id: null,
      wallet_id: walletId,
      application_id: applicationId,
      sequence: null,
      created_at: at,
    })
    .execute();
  await sql`insert into deliveries (id, event_id, webhook_id, next_attempt_at)
    select gen_random_uuid()::text, ${event.id}, id, now() from unnest(${receivers}::text[]) as id`.execute(
    tx,
  );
}
