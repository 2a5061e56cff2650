/**
 * The outbox as a queue. A process leases what it sends: if it crashes before it records the result, the lease runs out
 * and another process sends it again. `leased_until` also identifies the holder: only the newest lease may write.
 */
import { sql } from 'kysely';
import type { Delivery } from '../../src/api/webhook.ts';
import type { Database } from '../database/database.ts';
import type { SealedSecrets } from './secrets.ts';

export type Attempt = Delivery['attempts'][number];

/** A delivery that this process holds. */
export interface Leased extends SealedSecrets {
  id: string;
  leasedUntil: Date;
  /** Failed attempts since it was last requested. */
  attempts: number;
  webhookId: string;
  url: string;
  eventId: string;
  /** The event, byte for byte. */
  body: string;
}

export interface Claim {
  now: Date;
  leasedUntil: Date;
  /** Limit in total. */
  limit: number;
  /** Limit for one receiver. */
  perReceiver: number;
  /** Deliveries that are already held, by receiver. */
  busy: ReadonlyMap<string, number>;
}

/** Leases deliveries that are due, oldest first, with a limit for each receiver: one that hangs must not hold up the others. */
export async function claim(
  db: Database,
  { now, leasedUntil, limit, perReceiver, busy }: Claim,
): Promise<Leased[]> {
  const full = [...busy].filter(([, count]) => count >= perReceiver).map(([id]) => id);
  const places = JSON.stringify(
    Object.fromEntries([...busy].map(([id, count]) => [id, perReceiver - count])),
  );
  const isDue = sql`state = 'waiting' and next_attempt_at <= ${now}
    and (leased_until is null or leased_until <= ${now})`;
  const { rows } = await sql<Leased>`
    with due as (
      select id, webhook_id, next_attempt_at from deliveries
      where ${isDue} and webhook_id <> all(${full}::text[])
      order by next_attempt_at limit ${4 * limit}
    ), placed as (
      select id, next_attempt_at, row_number() over (partition by webhook_id order by next_attempt_at)
        <= coalesce((${places}::jsonb ->> webhook_id)::integer, ${perReceiver}) as fits from due
    ), taken as (
      select id from deliveries where id in (select id from placed where fits) and ${isDue}
      order by next_attempt_at limit ${limit} for update skip locked
    )
    update deliveries as d set leased_until = ${leasedUntil}
    from taken, events e, webhooks w
    where d.id = taken.id and e.id = d.event_id and w.id = d.webhook_id
    returning d.id, d.leased_until as "leasedUntil", d.attempts, w.id as "webhookId", w.url, w.credentials,
      w.signing_secret, w.master_version, e.id as "eventId", e.body`.execute(db);
  return rows;
}

/** Most attempts in a delivery's log; the oldest make room. */
const LOGGED = 20;

/** `nextAttemptAt` null: the delivery is given up. */
export type Result = { state: 'delivered' } | { state: 'failed'; nextAttemptAt: Date | null };

/** False when the lease has run out: then another process has the delivery, and its result counts. */
export async function settle(
  db: Database,
  { id, leasedUntil }: Leased,
  attempt: Attempt,
  result: Result,
): Promise<boolean> {
  const next = result.state === 'failed' ? result.nextAttemptAt : null;
  const state = result.state === 'delivered' ? 'delivered' : next ? 'waiting' : 'given-up';
  const { numAffectedRows } = await sql`
    update deliveries set state = ${state}, attempts = attempts + 1, next_attempt_at = ${next}, leased_until = null,
      log = (case when jsonb_array_length(log) >= ${LOGGED} then log - 0 else log end) || ${JSON.stringify(attempt)}::jsonb
    where id = ${id} and leased_until = ${leasedUntil}`.execute(db);
  return numAffectedRows === 1n;
}

/** Ends the lease; the delivery is due again at `at`. */
export async function giveBack(db: Database, { id, leasedUntil }: Leased, at: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leased_until: null, next_attempt_at: at })
    .where('id', '=', id)
    .where('leased_until', '=', leasedUntil)
    .execute();
}

/** Disables a receiver that is gone for good. Its waiting deliveries are given up and stay in the log; returns how many. */
export async function switchOff(db: Database, webhookId: string, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable('webhooks')
      .set((is) => ({ disabled_at: is.fn.coalesce('disabled_at', is.val(now)) }))
      .where('id', '=', webhookId)
      .execute();
    const { numUpdatedRows } = await tx
      .updateTable('deliveries')
      .set({ state: 'given-up', next_attempt_at: null })
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });
}

const KEPT_DAYS = 30;

/** Deletes events that are older than the log, with their deliveries. Those with deliveries that still wait stay. */
export async function sweep(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`
    with old as (
      select id from events e where created_at < ${before}
        and not exists (select from deliveries where event_id = e.id and state = 'waiting')
      limit 10000 for update skip locked
    ), gone as (delete from deliveries where event_id in (select id from old))
    delete from events where id in (select id from old)`.execute(db);
}
