/** More time for a customer who needs longer than the shop has given. */
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { requireOpen, withSession } from './transitions.ts';

/** Only so long before its end a session is extended: nobody holds an order open by one call. */
const LAST_MS = 5 * 60_000;
const MORE_MS = 10 * 60_000;
/** From its creation on. A shop that gives longer has no customer who needs more. */
const LONGEST_MS = 24 * 60 * 60_000;

type Provider = Pick<PaymentProvider, 'name' | 'paysOnOwnPage'>;

/**
 * When the session ends at the latest, in epoch milliseconds, however often its customer wants more time. Undefined where the provider's own
 * page ends with it.
 */
export function latestEnd({ provider, created_at }: SessionRow, payments: Provider): number | undefined {
  if (!payments.paysOnOwnPage || provider !== payments.name) return undefined;
  return created_at.getTime() + LONGEST_MS;
}

/**
 * Lets an open session end ten minutes from now. With more than five minutes left, or if that would be later than it may end, it stays as it
 * is. Throws `checkout.session.complete`, `checkout.session.expired`.
 */
export function extendSession(db: Database, payments: Provider, { id }: SessionRow): Promise<SessionRow> {
  return withSession(db, 'id', id, async (tx, current) => {
    const session = current!;
    requireOpen(session);
    const now = Date.now();
    const before = session.expires_at.getTime();
    const end = Math.min(now + MORE_MS, latestEnd(session, payments) ?? 0);
    // One that is over may still be open for a payment on its way, which is no time for another.
    if (before <= now || before > now + LAST_MS || end <= before) return session;
    return tx
      .updateTable('checkout_sessions')
      .set({ expires_at: new Date(end) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
