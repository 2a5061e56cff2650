/** The log of deliveries, and redelivery. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { WalletDelivery } from '../../src/api/wallet-event.ts';
import type { DeliveriesQuery, Delivery, WalletDeliveriesQuery } from '../../src/api/webhook.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { type Page, readPage } from '../http/paging.ts';
import type { Database } from '../database/database.ts';

function deliveries(db: Database) {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.id', 'd.webhook_id', 'd.state', 'd.next_attempt_at', 'd.log'])
    .select(['e.id as event_id', 'e.type', 'e.session_id', 'e.sequence', 'e.wallet_id']);
}

type Row = Awaited<ReturnType<ReturnType<typeof deliveries>['execute']>>[number];

/** A delivery of either kind. */
export type AnyDelivery = Delivery | WalletDelivery;

function describe(row: Row): AnyDelivery {
  const common = {
    id: row.id,
    eventId: row.event_id,
    webhookId: row.webhook_id,
    state: row.state,
    attempts: row.log as Delivery['attempts'],
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  };
  const { type, session_id, sequence, wallet_id } = row;
  return wallet_id === null
    ? { ...common, type: type as Delivery['type'], sessionId: session_id, sequence }
    : { ...common, type: type as WalletDelivery['type'], walletId: wallet_id };
}

/** Newest first. Without a webhook, those of all applications. */
export async function listLog(
  db: Database,
  webhookId: string | undefined,
  query: DeliveriesQuery & WalletDeliveriesQuery,
): Promise<Page<AnyDelivery>> {
  const { state, session, wallet, before } = query;
  let selection = deliveries(db);
  if (webhookId !== undefined) selection = selection.where('d.webhook_id', '=', webhookId);
  if (state) selection = selection.where('d.state', '=', state);
  if (session) selection = selection.where('e.session_id', '=', session);
  if (wallet) selection = selection.where('e.wallet_id', '=', wallet);
  if (before !== undefined) {
    const earlier: Expression<SqlBool> = sql`(d.created_at, d.id) < (select created_at, id from deliveries where id = ${before})`;
    selection = selection.where(earlier);
  }
  const order = { at: 'd.created_at', id: 'd.id', first: 'newest' } as const;
  const { rows, next } = await readPage(
    ['deliveries', webhookId, state, session, wallet],
    query,
    selection,
    order,
  );
  return { rows: rows.map(describe), next };
}

/**
 * Sends an event again, with the same id, at once and then as often as a new one. Throws `request.not-found`, and
 * `request.conflict` if the receiver is disabled.
 */
export async function redeliver(db: Database, id: string, webhookId?: string): Promise<AnyDelivery> {
  const row = await db
    .selectFrom('deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .select(['w.id as webhook_id', 'w.disabled_at'])
    .where('d.id', '=', id)
    .executeTakeFirst();
  if (!row || (webhookId !== undefined && row.webhook_id !== webhookId))
    throw new ConnectError('request.not-found', 'There is no such delivery, or it is not yours.');
  if (row.disabled_at) throw switchedOff();
  // A concurrent disabling either comes first, or finds this delivery waiting.
  const { numAffectedRows } = await sql`
    update deliveries set state = 'waiting', attempts = 0, next_attempt_at = now() where id = ${id}
      and exists (select from webhooks where id = ${row.webhook_id} and disabled_at is null for share)`.execute(
    db,
  );
  if (!numAffectedRows) throw switchedOff();
  return describe(await deliveries(db).where('d.id', '=', id).executeTakeFirstOrThrow());
}

/** Sends all given-up deliveries of a receiver again. Returns how many. */
export async function redeliverGivenUp(db: Database, webhookId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set state = 'waiting', attempts = 0, next_attempt_at = now()
    where webhook_id = ${webhookId} and state = 'given-up'
      and exists (select from webhooks where id = ${webhookId} and disabled_at is null for share)`.execute(
    db,
  );
  return Number(numAffectedRows);
}

function switchedOff(): ConnectError {
  return new ConnectError(
    'request.conflict',
    'The receiver answered 410 and was disabled. Register it again; it then gets the events from then on.',
  );
}
