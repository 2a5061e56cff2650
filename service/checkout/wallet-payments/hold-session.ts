/** What a session's quotes and payments mean for the session itself. */
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { UNDER_WAY } from './current-quote.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

/** Derives from its quotes whether a session is held open, and whether a payment is in progress. The transaction must hold its lock. */
export async function refreshSession(
  tx: Database,
  sessionId: string,
  { holdMs, holdPendingMs }: WalletPaymentSettings,
): Promise<void> {
  const pending = sql<boolean>`exists (select from wallet_quotes where session_id = ${sessionId} and ${UNDER_WAY})`;
  const quoted = sql`(select max(q.expires_at + make_interval(secs =>
      case q.state when 'pending' then ${holdPendingMs / 1000}::float8 else ${holdMs / 1000}::float8 end))
    from wallet_quotes q where q.session_id = ${sessionId} and q.state in ('quoted', 'pending'))`;
  // The shop has time to accept an under- or overpayment, or one that was late.
  const named = sql`(select max(t.seen_at + make_interval(secs => ${holdMs / 1000}::float8))
    from wallet_transfers t where t.session_id = ${sessionId} and t.state = 'unassigned' and t.reason in ('amount', 'late'))`;
  const until = sql<Date | null>`greatest(${quoted}, ${named})`;
  await tx
    .updateTable('checkout_sessions')
    .set({ wallet_pending: pending, held_until: until })
    .where('id', '=', sessionId)
    .execute();
}
