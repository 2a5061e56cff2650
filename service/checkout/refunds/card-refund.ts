/** Refunds of card payments, through the payment provider. The refund is stored before the provider is asked for it. */
import { randomBytes } from 'node:crypto';
import type { CreateRefund } from '../../../src/api/refund.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { RefundRow, SessionRow } from '../../database/schema.ts';
import { type KeyedRequest, takeRefundKey } from '../../idempotency/request-keys.ts';
import type { PaymentProvider, RefundOutcome } from '../sessions/payment-provider.ts';
import { withSession } from '../sessions/transitions.ts';
import type { RefundSettings } from './refund-settings.ts';
import { type RefundedPayment, requireLeft } from './refundable.ts';
import { settleRefund } from './settle-refund.ts';

export interface CardRefund {
  session: SessionRow;
  payment: RefundedPayment;
  body: CreateRefund;
  keyedRequest: KeyedRequest;
}

export interface CardParts {
  db: Database;
  payments: PaymentProvider;
  settings: RefundSettings;
}

const ONLY_WALLETS = ['to', 'link', 'walletId', 'pincode', 'session'] as const;

/** Returns the refund's id. Throws `request.invalid`, `request.conflict`, `checkout.refund.refused`. */
export async function refundCard(
  { db, payments, settings }: CardParts,
  { session, payment, body, keyedRequest }: CardRefund,
): Promise<string> {
  const { amount } = body;
  for (const field of ONLY_WALLETS)
    if ((body[field] ?? null) !== null)
      throw invalid(
        field,
        'must be absent: the session was paid by card, and the money goes back to that card',
      );
  if (typeof amount === 'string') throw invalid('amount', 'must be whole minor units of the currency');
  if (session.provider !== payments.name)
    throw new ConnectError(
      'checkout.refund.refused',
      `The session was paid with ${session.provider}, which this service no longer uses.`,
      { reason: 'provider' },
    );
  const row = await withSession(db, 'id', session.id, async (tx, now) => {
    const made = await tx
      .insertInto('refunds')
      .values({
        id: `re_${randomBytes(12).toString('hex')}`,
        session_id: session.id,
        application_id: session.application_id,
        payment_id: payment.id,
        method: 'card',
        state: 'pending',
        note: body.note ?? null,
        amount: String(await requireLeft(tx, payment, amount == null ? undefined : BigInt(amount))),
        provider: now!.provider,
        currency: now!.currency,
        next_look_at: new Date(Date.now() + settings.firstMs),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await takeRefundKey(tx, keyedRequest, made.id);
    return made;
  });
  const outcome = await askProvider(payments, session, row, true);
  if (outcome) await settleRefund(db, row, outcome);
  return row.id;
}

/** Undefined while the provider does not answer: it is asked again later. */
export async function askProvider(
  payments: PaymentProvider,
  session: SessionRow,
  { id, amount, provider_refund: providerRefund }: RefundRow,
  first: boolean,
): Promise<RefundOutcome | undefined> {
  try {
    return await payments.refund({ id, session, amount: Number(amount), providerRefund, first });
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === 'checkout.provider.unreachable') return undefined;
    if (error.code !== 'checkout.provider.refused' && error.code !== 'request.invalid') throw error;
    return { state: 'failed', providerRefund: null, reason: error.shortMessage };
  }
}
