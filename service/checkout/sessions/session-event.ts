/** Puts events of a session into the outbox. */
import type { SessionWalletPayment } from '../../../src/api/checkout.ts';
import type { Refund } from '../../../src/api/refund.ts';
import type { RefundLink } from '../../../src/api/refund-link.ts';
import type { EventType } from '../../../src/api/webhook.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import { recordEvent } from '../../webhooks/record-event.ts';
import { describeSession } from './describe-session.ts';

export interface SessionEvent {
  /** The session as it is after the change. */
  session: SessionRow;
  type: EventType;
  /** Why it was declined, cancelled or unassigned, or the refund failed; null otherwise. */
  reason: string | null;
  refund?: Refund;
  refundLink?: RefundLink;
  /** A payment by wallet that paid for nothing. */
  walletPayment?: SessionWalletPayment;
}

/** Call it in the transaction of the change, which holds the lock on the session's row. */
export async function recordSessionEvent(
  tx: Database,
  { session, type, reason, refund, refundLink, walletPayment }: SessionEvent,
): Promise<void> {
  const { sequence } = await tx
    .updateTable('checkout_sessions')
    .set((is) => ({ sequence: is('sequence', '+', 1) }))
    .where('id', '=', session.id)
    .returning('sequence')
    .executeTakeFirstOrThrow();
  await recordEvent(tx, {
    applicationId: session.application_id,
    sessionId: session.id,
    type,
    data: {
      sequence,
      session: describeSession(session),
      reason,
      ...(refund && { refund }),
      ...(refundLink && { refund_link: refundLink }),
      ...(walletPayment && { wallet_payment: walletPayment }),
    },
  });
}
