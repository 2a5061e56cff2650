/** A shop accepts payments of another amount, or late ones, as the payment of its session; those that are certainly its, nobody has to. */
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow, TransferRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { isTaken } from './taken-by-refunds.ts';
import { requireNonePending } from '../sessions/session-errors.ts';
import { complete, requireOpen, withSession } from '../sessions/transitions.ts';
import { isConfirmed } from './confirmed.ts';
import { refreshSession } from './hold-session.ts';
import { findTransfer } from './received.ts';
import { closeElsewhere, UNKNOWN_CUSTOMER } from './settle.ts';
import { paidBy } from './payment-report.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

type Accepting = Pick<Service, 'db' | 'networks' | 'payments'> & { settings: WalletPaymentSettings };

/**
 * Throws `request.invalid` at `payments`, `checkout.session.*`, `checkout.payment.pending`, also while one lacks confirmations,
 * `request.conflict` when one is being refunded, and `checkout.provider.unreachable`.
 */
export async function acceptTransfers(
  { db, networks, payments, settings }: Accepting,
  session: SessionRow,
  ids: readonly string[],
  { isCertain = false } = {},
): Promise<SessionRow> {
  const transfers = await Promise.all([...new Set(ids)].map((id) => namedTransfer(db, session, id)));
  const [first, ...others] = transfers;
  for (const { network, token_address } of others)
    if (network !== first!.network || token_address !== first!.token_address)
      throw invalid('payments', 'must be of one coin or token');
  requireOpen(session);
  for (const transfer of transfers)
    if (!(await isConfirmed({ db, networks }, transfer)))
      throw new ConnectError(
        'checkout.payment.pending',
        'A payment does not have its confirmations yet. Try again later.',
      );
  // Otherwise somebody could pay there as well.
  await closeElsewhere(db, payments, session.id);
  return withSession(db, 'id', session.id, async (tx, current) => {
    const now = current!;
    requireOpen(now);
    // It is these that are pending.
    if (!isCertain) requireNonePending(now);
    const quote = await tx
      .updateTable('wallet_quotes')
      .set({ state: 'paid', problem: null })
      .where('id', '=', first!.quote_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const paid = [await take(tx, first!, quote.id)];
    // A quote can have only one payment, unless they add up.
    for (const each of others) paid.push(await take(tx, each, null));
    const done = await complete(tx, now, {
      paid: true,
      paymentIntent: first!.id,
      customerDetails: UNKNOWN_CUSTOMER,
      walletPayment: paidBy(quote, paid),
    });
    await refreshSession(tx, now.id, settings);
    return done;
  });
}

/** It is the session's, as far as is known, but its amount is not the price, or it was late. */
async function namedTransfer(db: Database, session: SessionRow, id: string): Promise<TransferRow> {
  const transfer = await findTransfer(db, session, id);
  if (transfer?.reason === 'amount' || transfer?.reason === 'late') return transfer;
  throw invalid('payments', 'must be ids of underpayments, overpayments or late payments of this session');
}

/** Throws `request.conflict`: a reorganisation or a refund was faster, or the transaction paid another session. */
async function take(tx: Database, { id }: TransferRow, quoteId: string | null): Promise<TransferRow> {
  const paid = await tx
    .updateTable('wallet_transfers as transfer')
    .set({ state: 'paid', reason: null, quote_id: quoteId })
    .where('id', '=', id)
    .where('state', '=', 'unassigned')
    .where((is) =>
      is.not(
        is.or([
          isTaken('transfer.id'),
          is.exists(
            is
              .selectFrom('wallet_transfers as other')
              .select('other.id')
              .whereRef('other.network', '=', 'transfer.network')
              .whereRef('other.transaction_hash', '=', 'transfer.transaction_hash')
              .where('other.key_id', 'is', null)
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
    'A payment was refunded, paid another session, or is no longer there.',
  );
}
