/** What a caller hears of a session that is not there, or not open any more. */
import { ConnectError } from '../../../src/errors.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';

/** Of another application's session, too. */
export function unknownSession(): ConnectError {
  return new ConnectError(
    'checkout.session.unknown',
    'There is no such checkout session, or it is not yours.',
  );
}

/** Where the customer goes on. `{CHECKOUT_SESSION_ID}` in it becomes the session's id. */
export function redirectOf(row: Pick<SessionRow, 'id' | 'status' | 'success_url' | 'cancel_url'>): string {
  return returnUrl(row.status === 'complete' ? row.success_url : row.cancel_url, row.id);
}

export function returnUrl(url: string, sessionId: string): string {
  return new URL(url.replaceAll('{CHECKOUT_SESSION_ID}', sessionId)).href;
}

export function notOpen(row: SessionRow): ConnectError {
  const details = { redirect: redirectOf(row) };
  if (row.status === 'complete')
    return new ConnectError(
      'checkout.session.complete',
      row.payment_status === 'paid' ? 'This is already paid.' : 'The payment is already under way.',
      details,
    );
  return new ConnectError(
    'checkout.session.expired',
    row.cancelled_at
      ? 'This payment was cancelled. Start again from the shop.'
      : 'The time to pay is over. Start again from the shop.',
    details,
  );
}

/** While a payment by wallet is under way, nothing else is done with an open session. Throws `checkout.payment.pending`. */
export function requireNonePending(row: SessionRow): void {
  if (row.status === 'open' && row.wallet_pending)
    throw new ConnectError(
      'checkout.payment.pending',
      'A payment by wallet is under way. Wait until it is decided.',
    );
}

/** Attempts and quotes of one session, of each. */
const MOST = 30;

/** Each may be an event for the shop, or takes an amount that no other may have for days. Throws `request.rate-limited`. */
export async function requireTriesLeft(
  tx: Database,
  session: SessionRow,
  tries: 'checkout_payments' | 'wallet_quotes',
): Promise<void> {
  const { made } = await tx
    .selectFrom(tries)
    .select((is) => is.fn.countAll<string>().as('made'))
    .where('session_id', '=', session.id)
    .executeTakeFirstOrThrow();
  if (Number(made) < MOST) return;
  const what = tries === 'checkout_payments' ? 'attempts' : 'quotes';
  throw new ConnectError(
    'request.rate-limited',
    `Too many ${what} were made on this payment. Start again from the shop.`,
    { redirect: redirectOf(session) },
  );
}
