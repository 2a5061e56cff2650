/**
 * Payments with test cards. The page gives each attempt an id: sent again, it gets the same answer. Attempts on one session
 * wait for each other, so that it is paid once. The card's number, expiry and code are not stored.
 */
import { randomBytes } from 'node:crypto';
import type { AnswerChallenge, PayAnswer, PayByCard } from '../../../../src/api/pay.ts';
import { testCard } from '../../../../src/api/test-cards.ts';
import { RequestInvalidError } from '../../../../src/base/errors.ts';
import type { Database } from '../../../database/database.ts';
import type { PaymentRow, SessionRow } from '../../../database/schema.ts';
import { requestMail } from '../../sessions/receipt-mail.ts';
import { redirectOf, requireNonePending, requireTriesLeft } from '../../sessions/session-errors.ts';
import { complete, decline, requireOpen, withSession } from '../../sessions/transitions.ts';

/** The customer failed the bank's challenge. */
const NOT_AUTHENTICATED = 'authentication_failed';

function answerOf({ state, reason, brand, last4 }: PaymentRow, session: SessionRow): PayAnswer {
  if (state === 'paid') return { state, redirect: redirectOf(session) };
  if (state === 'declined') return { state, reason: reason! };
  return { state, challenge: { brand, last4 } };
}

async function findPayment(
  tx: Database,
  sessionId: string,
  attempt: string,
): Promise<PaymentRow | undefined> {
  return tx
    .selectFrom('checkout_payments')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
}

async function countAttempts(tx: Database, sessionId: string): Promise<number> {
  const { made } = await tx
    .selectFrom('checkout_payments')
    .select((is) => is.fn.countAll<string>().as('made'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return Number(made);
}

function requirePayable(session: SessionRow): void {
  requireOpen(session);
  requireNonePending(session);
}

/** Applies the outcome of an attempt to the session, with its event. `mailLanguage`: of the receipt by e-mail; undefined if none is sent. */
async function carryOut(
  tx: Database,
  session: SessionRow,
  payment: PaymentRow,
  mailLanguage: string | undefined,
): Promise<PayAnswer> {
  if (payment.state === 'paid') {
    const { id: paymentIntent, customer_details: customerDetails } = payment;
    const now = await complete(tx, session, { paid: true, paymentIntent, customerDetails });
    const { email: address } = customerDetails;
    if (mailLanguage !== undefined && address !== null)
      await requestMail(tx, session, { address, language: mailLanguage });
    return answerOf(payment, now);
  }
  if (payment.state === 'declined') await decline(tx, session, payment.reason!);
  return answerOf(payment, session);
}

/** Throws `checkout.session.complete`, `checkout.session.expired`, `checkout.payment.pending`. */
export function payByCard(
  db: Database,
  { id }: SessionRow,
  { attempt, email, card, country }: PayByCard,
  mailLanguage: string | undefined,
): Promise<PayAnswer> {
  return withSession(db, 'id', id, async (tx, current) => {
    const session = current!;
    const earlier = await findPayment(tx, id, attempt);
    if (earlier) return answerOf(earlier, session);
    requirePayable(session);
    requireTriesLeft(session, await countAttempts(tx, id), 'attempts');
    const { brand, challenge, decline: reason } = testCard(card.number)!;
    const payment = await tx
      .insertInto('checkout_payments')
      .values({
        id: `pi_${randomBytes(12).toString('hex')}`,
        session_id: id,
        owner_id: session.application_id,
        attempt,
        state: challenge ? 'challenge' : reason ? 'declined' : 'paid',
        // For a challenge: the outcome once it is passed.
        reason,
        brand,
        last4: card.number.slice(-4),
        customer_details: JSON.stringify({
          address: { city: null, country, line1: null, line2: null, postal_code: null, state: null },
          email,
          name: card.name,
          phone: null,
          tax_exempt: 'none',
          tax_ids: [],
        }),
        settled_at: challenge ? null : new Date(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return carryOut(tx, session, payment, mailLanguage);
  });
}

/** Throws `checkout.session.complete`, `checkout.session.expired`, `checkout.payment.pending`, and `request.invalid` for an unknown attempt. */
export function answerChallenge(
  db: Database,
  { id }: SessionRow,
  { attempt, outcome }: AnswerChallenge,
  mailLanguage: string | undefined,
): Promise<PayAnswer> {
  return withSession(db, 'id', id, async (tx, current) => {
    const session = current!;
    const earlier = await findPayment(tx, id, attempt);
    if (!earlier)
      throw new RequestInvalidError([{ path: 'attempt', message: 'is not an attempt of this payment' }]);
    if (earlier.state !== 'challenge') return answerOf(earlier, session);
    requirePayable(session);
    const reason = outcome === 'fail' ? NOT_AUTHENTICATED : earlier.reason;
    const payment = await tx
      .updateTable('checkout_payments')
      .set({ state: reason ? 'declined' : 'paid', reason, settled_at: new Date() })
      .where('id', '=', earlier.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return carryOut(tx, session, payment, mailLanguage);
  });
}
