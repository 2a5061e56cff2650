/** A shop takes a transfer of another amount as the payment of its session. Nothing here does so by itself. */
import { ConnectError } from '../../../src/errors.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow, TransferRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { requireNonePending } from '../sessions/session-errors.ts';
import { complete, requireOpen, withSession } from '../sessions/transitions.ts';
import { isConfirmed } from './confirmed.ts';
import { refreshSession } from './quotes.ts';
import { findTransfer } from './received.ts';
import { closeElsewhere, UNKNOWN_CUSTOMER } from './settle.ts';
import { paidBy } from './told-payment.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

type Accepting = Pick<Service, 'db' | 'networks' | 'payments'> & { settings: WalletPaymentSettings };

/**
 * Throws `request.invalid` at `payment`, `checkout.session.*`, `checkout.payment.pending`, also while it lacks confirmations,
 * `request.conflict` when its money is being given back, and `checkout.provider.unreachable`.
 */
export async function acceptTransfer(
  { db, networks, payments, settings }: Accepting,
  session: SessionRow,
  id: string,
): Promise<SessionRow> {
  const transfer = await findTransfer(db, session, id);
  if (!transfer || transfer.reason !== 'amount')
    throw invalid('payment', 'must be the id of a payment of another amount, which names this session');
  requireOpen(session);
  if (!(await isConfirmed({ db, networks }, transfer)))
    throw new ConnectError(
      'checkout.payment.pending',
      'The payment does not have its confirmations yet. Try again later.',
    );
  // Else somebody could pay there as well.
  await closeElsewhere(db, payments, session.id);
  return withSession(db, 'id', session.id, async (tx, found) => {
    const now = found!;
    requireOpen(now);
    requireNonePending(now);
    const paid = await take(tx, transfer);
    const quote = await tx
      .updateTable('wallet_quotes')
      .set({ state: 'paid', problem: null })
      .where('id', '=', paid.quote_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const done = await complete(tx, now, {
      paid: true,
      paymentIntent: paid.id,
      customerDetails: UNKNOWN_CUSTOMER,
      walletPayment: paidBy(quote, paid),
    });
    await refreshSession(tx, now.id, settings);
    return done;
  });
}

/** Throws `request.conflict`: a reorganisation or a refund was faster, or the transaction paid another session. */
async function take(tx: Database, { id }: TransferRow): Promise<TransferRow> {
  const paid = await tx
    .updateTable('wallet_transfers as transfer')
    .set({ state: 'paid', reason: null })
    .where('id', '=', id)
    .where('state', '=', 'unassigned')
    .where((is) =>
      is.not(
        is.or([
          is.exists(
            is
              .selectFrom('refunds')
              .select('refunds.id')
              .where('payment_id', '=', id)
              .where('refunds.state', '<>', 'failed'),
          ),
          is.exists(
            is
              .selectFrom('wallet_transfers as other')
              .select('other.id')
              .whereRef('other.network', '=', 'transfer.network')
              .whereRef('other.transaction_hash', '=', 'transfer.transaction_hash')
              .where('other.state', '<>', 'unassigned'),
          ),
        ]),
      ),
    )
    .returningAll()
    .executeTakeFirst();
  if (paid) return paid;
  throw new ConnectError(
    'request.conflict',
    'The payment was refunded, paid another session, or is no longer there.',
  );
}
