/**
 * How a session changes: open → complete, or open → expired. Each change and its event are written in one database transaction,
 * under the lock of the session's row, so that the second of two concurrent changes sees the first.
 */
import { type ExpressionBuilder, sql } from 'kysely';
import type { CustomerDetails, SessionWalletPayment } from '../../../src/api/checkout.ts';
import type { Database } from '../../database/database.ts';
import type { Schema, SessionRow } from '../../database/schema.ts';
import type { Outcome } from './payment-provider.ts';
import { notOpen } from './session-errors.ts';
import { recordSessionEvent } from './session-event.ts';

/** `work` gets the session while nobody else can change it; undefined when there is none. */
export function withSession<T>(
  db: Database,
  column: 'id' | 'page_id' | 'provider_session',
  value: string,
  work: (tx: Database, session: SessionRow | undefined) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const session = await tx
      .selectFrom('checkout_sessions')
      .selectAll()
      .where(column, '=', value)
      .forUpdate()
      .executeTakeFirst();
    return work(tx, session);
  });
}

/** Held open for a payment by wallet that may be on its way. The time limit does not end it, but the customer's going back does. */
function isHeld({ cancelled_at, held_until }: SessionRow): boolean {
  return cancelled_at === null && held_until !== null && held_until.getTime() > Date.now();
}

/** Whether an open session is due to end, because its time is over or its customer went back. */
export function isOver(session: SessionRow): boolean {
  const { status, expires_at, cancelled_at } = session;
  if (status !== 'open' || isHeld(session)) return false;
  return cancelled_at !== null || expires_at.getTime() <= Date.now();
}

/** Throws `checkout.session.complete` or `checkout.session.expired`. */
export function requireOpen(session: SessionRow): void {
  if (session.status !== 'open' || isOver(session)) throw notOpen(session);
}

type Changes = (is: ExpressionBuilder<Schema, 'checkout_sessions'>) => object;

async function change(tx: Database, { id }: SessionRow, changes: Changes): Promise<SessionRow> {
  return tx
    .updateTable('checkout_sessions')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface Payment {
  paid: boolean;
  paymentIntent: string | null;
  customerDetails: CustomerDetails;
  /** Where a wallet paid. */
  walletPayment?: SessionWalletPayment;
}

/** Completes an open session. `paid` is false while the money is still on its way. */
export async function complete(tx: Database, session: SessionRow, payment: Payment): Promise<SessionRow> {
  const now = await change(tx, session, () => ({
    status: 'complete',
    payment_status: payment.paid ? 'paid' : 'unpaid',
    payment_intent: payment.paymentIntent,
    customer_details: JSON.stringify(payment.customerDetails),
    completed_at: sql`now()`,
    ...(payment.paid && { paid_at: sql`now()` }),
    // The customer went back, but paid in another window before the provider knew.
    cancelled_at: null,
    withdrawn: false,
    ...(payment.walletPayment && { wallet_payment: JSON.stringify(payment.walletPayment) }),
  }));
  if (payment.paid) await recordSessionEvent(tx, { session: now, type: 'payment.succeeded', reason: null });
  return now;
}

/** The money of a complete session has arrived. */
export async function arrive(tx: Database, session: SessionRow): Promise<SessionRow> {
  const now = await change(tx, session, () => ({ payment_status: 'paid', paid_at: sql`now()` }));
  await recordSessionEvent(tx, { session: now, type: 'payment.succeeded', reason: null });
  return now;
}

/** Records a failed attempt; the session stays as it is. */
export async function decline(tx: Database, session: SessionRow, reason: string): Promise<void> {
  await recordSessionEvent(tx, { session, type: 'payment.declined', reason });
}

/** The customer went back to the shop. */
export function wentBack({
  cancelled_at,
  withdrawn,
}: Pick<SessionRow, 'cancelled_at' | 'withdrawn'>): boolean {
  return cancelled_at !== null && !withdrawn;
}

/** Ends an open session. The `reason` of its event says whether the customer went back. */
export async function end(tx: Database, session: SessionRow): Promise<SessionRow> {
  const now = await change(tx, session, () => ({ status: 'expired' }));
  const reason = wentBack(now) ? 'cancelled' : 'expired';
  await recordSessionEvent(tx, { session: now, type: 'payment.cancelled', reason });
  return now;
}

/** Brings an open session to the state that its provider reports. */
export async function follow(tx: Database, session: SessionRow, outcome: Outcome): Promise<SessionRow> {
  if (session.status !== 'open' || outcome.status === 'open') return session;
  // Only the provider's clock says so; a payment on its way to us takes precedence.
  if (outcome.status === 'expired' && isHeld(session)) return session;
  return outcome.status === 'complete' ? complete(tx, session, outcome) : end(tx, session);
}
