/** Finds sessions. */
import type { SessionsQuery } from '../../../src/api/checkout.ts';
import { acrossAccounts } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import { SESSION_COLUMNS } from '../../database/checkout-tables.ts';
import type { SessionRow } from '../../database/schema.ts';
import { type Page, readPage } from '../../http/paging.ts';
import { unknownSession } from './session-errors.ts';

/** Throws `checkout.session.unknown`. */
export async function readSession(db: Database, applicationId: string, id: string): Promise<SessionRow> {
  const row = await db
    .selectFrom('checkout_sessions')
    .select(SESSION_COLUMNS)
    .where('id', '=', id)
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  if (!row) throw unknownSession();
  return row;
}

/**
 * Anyone who knows the URL of a payment page may read its session. `provider`: the one that it must be paid with; a receipt outlives a
 * change of provider. Throws `checkout.session.unknown`.
 */
export async function readPageSession(db: Database, pageId: string, provider?: string): Promise<SessionRow> {
  const selection = db.selectFrom('checkout_sessions').select(SESSION_COLUMNS).where('page_id', '=', pageId);
  const row = await acrossAccounts('payment-page', () => selection.executeTakeFirst());
  if (!row || (provider !== undefined && row.provider !== provider)) throw unknownSession();
  return row;
}

/** Lists an application's sessions, newest first. */
export async function listSessions(
  db: Database,
  applicationId: string,
  query: SessionsQuery,
): Promise<Page<SessionRow>> {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  const { created_after: after, created_before: before, ...equal } = filters;
  let selection = db
    .selectFrom('checkout_sessions')
    .select(SESSION_COLUMNS)
    .where('application_id', '=', applicationId);
  for (const column of ['status', 'payment_status', 'client_reference_id'] as const)
    if (equal[column] !== undefined) selection = selection.where(column, '=', equal[column]);
  if (after !== undefined) selection = selection.where('created_at', '>', new Date(after));
  if (before !== undefined) selection = selection.where('created_at', '<', new Date(before));
  const order = { at: 'created_at', id: 'id', first: 'newest' } as const;
  return readPage(['sessions', applicationId, filters], query, selection, order);
}
