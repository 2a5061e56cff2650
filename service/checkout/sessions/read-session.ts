/** Finding sessions. */
import { acrossAccounts } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import { unknownSession } from './session-errors.ts';

/** Throws `checkout.session.unknown`. */
export async function readSession(db: Database, applicationId: string, id: string): Promise<SessionRow> {
  const row = await db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', id)
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  if (!row) throw unknownSession();
  return row;
}

/** Anyone who knows the address of a payment page may read its session. Throws `checkout.session.unknown`. */
export async function readPageSession(db: Database, pageId: string, provider: string): Promise<SessionRow> {
  const found = db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('provider', '=', provider);
  const row = await acrossAccounts('payment-page', () => found.executeTakeFirst());
  if (!row) throw unknownSession();
  return row;
}
