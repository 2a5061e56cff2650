/** Orders that cost nothing: a button completes them, without a card or a wallet. */
import type { PayAnswer } from '../../../src/api/pay.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import { redirectOf } from '../sessions/session-errors.ts';
import { complete, requireOpen, withSession } from '../sessions/transitions.ts';
import { UNKNOWN_CUSTOMER } from '../wallet-payments/settle.ts';

/** Throws `request.conflict` if the order costs something, and `checkout.session.expired`. */
export function completeFree(db: Database, { id }: SessionRow): Promise<PayAnswer> {
  return withSession(db, 'id', id, async (tx, current) => {
    const session = current!;
    if (Number(session.amount_total) !== 0)
      throw new ConnectError('request.conflict', 'This order costs something: pay it.');
    if (session.status === 'complete') return { state: 'paid', redirect: redirectOf(session) };
    requireOpen(session);
    const payment = { paid: true, paymentIntent: null, customerDetails: UNKNOWN_CUSTOMER };
    return { state: 'paid', redirect: redirectOf(await complete(tx, session, payment)) };
  });
}
