/** Writes an event and its deliveries in the transaction of the change that it reports: both are stored, or neither. */
import { randomBytes } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { WalletEvent, WalletEventType } from '../../src/api/wallet-event.ts';
import type { EventType, PaymentEvent, ReceivingWalletEvent } from '../../src/api/webhook.ts';
import type { Database } from '../database/database.ts';
import type { Events } from '../database/schema.ts';

export interface NewEvent {
  applicationId: string;
  sessionId: string;
  type: EventType;
  data: PaymentEvent['data'];
}

/**
 * The locks on the receivers keep one that is being disabled or deleted from getting a delivery that nobody would send, and from failing the
 * payment.
 */
export async function recordEvent(
  tx: Database,
  { applicationId, sessionId, type, data }: NewEvent,
): Promise<void> {
  const about = { session_id: sessionId, sequence: data.sequence };
  const event = await writeEvent(tx, type, data, { ...about, application_id: applicationId });
  await deliverToAll(tx, applicationId, event);
}

/** An event of the application itself, for the receivers of events of payments. */
export async function recordReceivingWallets(
  tx: Database,
  applicationId: string,
  data: ReceivingWalletEvent['data'],
): Promise<void> {
  const about = { session_id: null, sequence: null, application_id: applicationId };
  await deliverToAll(tx, applicationId, await writeEvent(tx, 'receiving-wallet.changed', data, about));
}

async function deliverToAll(tx: Database, applicationId: string, event: string): Promise<void> {
  await sql`insert into deliveries (id, event_id, webhook_id, next_attempt_at)
    select gen_random_uuid()::text, ${event}, id, now() from webhooks
    where application_id = ${applicationId} and disabled_at is null and events is null for share`.execute(tx);
}

/** Returns its id, which is `webhook-id` of all its deliveries. */
async function writeEvent(
  tx: Database,
  type: Events['type'],
  data: object,
  about: Pick<Insertable<Events>, 'session_id' | 'sequence' | 'wallet_id' | 'application_id'>,
): Promise<string> {
  const at = new Date();
  const id = `evt_${randomBytes(18).toString('base64url')}`;
  const body = JSON.stringify({ id, type, timestamp: at.toISOString(), data });
  await tx
    .insertInto('events')
    .values({ id, type, body, created_at: at, ...about })
    .execute();
  return id;
}

export type WalletEventData<T extends WalletEventType> = Extract<WalletEvent, { type: T }>['data'];

/** The receivers of an event, locked as those of `recordEvent` are. */
export interface Audience {
  applicationId: string;
  walletId: string;
  receivers: string[];
}

/** Who gets events of this type of a wallet; undefined if nobody does: then the event need not be written. */
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
  const about = { session_id: null, sequence: null, wallet_id: walletId };
  const event = await writeEvent(tx, type, data, { ...about, application_id: applicationId });
  await sql`insert into deliveries (id, event_id, webhook_id, next_attempt_at)
    select gen_random_uuid()::text, ${event}, id, now() from unnest(${receivers}::text[]) as id`.execute(tx);
}
