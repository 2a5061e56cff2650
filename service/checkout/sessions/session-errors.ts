/** Errors for sessions that do not exist or are no longer open. */
import { ConnectError } from '../../../src/base/errors.ts';
import type { SessionRow } from '../../database/schema.ts';

/** The error for sessions that do not exist, and for those of other applications. */
export function unknownSession(): ConnectError {
  return new ConnectError(
    'checkout.session.unknown',
    'There is no such checkout session, or it is not yours.',
  );
}

/** As shops write it, and as URL builders encode it. */
const SESSION_ID = /\{CHECKOUT_SESSION_ID\}|%7BCHECKOUT_SESSION_ID%7D|%7bCHECKOUT_SESSION_ID%7d/g;

/** Where the customer goes next. `{CHECKOUT_SESSION_ID}` in it becomes the session's id. */
export function redirectOf(row: Pick<SessionRow, 'id' | 'status' | 'success_url' | 'cancel_url'>): string {
  return returnUrl(row.status === 'complete' ? row.success_url : row.cancel_url, row.id);
}

function returnUrl(url: string, sessionId: string): string {
  return new URL(url.replaceAll(SESSION_ID, sessionId)).href;
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

/** While a payment by wallet is in progress, an open session must not change otherwise. Throws `checkout.payment.pending`. */
export function requireNonePending(row: SessionRow): void {
  if (row.status === 'open' && row.wallet_pending)
    throw new ConnectError(
      'checkout.payment.pending',
      'A payment by wallet is under way. Wait until it is decided.',
    );
}

/** Attempts to pay a session in one way. */
const MAX_TRIES = 30;

/** `made`: how many `tries` the session has had in this way to pay. Throws `request.rate-limited`. */
export function requireTriesLeft(session: SessionRow, made: number, tries: 'attempts' | 'quotes'): void {
  if (made < MAX_TRIES) return;
  throw new ConnectError(
    'request.rate-limited',
    `Too many ${tries} were made on this payment. Start again from the shop.`,
    { redirect: redirectOf(session) },
  );
}
