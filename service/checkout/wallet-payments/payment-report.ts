/** What a session and its events report of transfers: that they paid, or what is wrong with them. */
import type { SessionWalletPayment } from '../../../src/api/checkout.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import type { Database } from '../../database/database.ts';
import type { QuoteRow, SessionRow, TransferRow } from '../../database/schema.ts';
import { recordSessionEvent } from '../sessions/session-event.ts';
import { otherAmounts, sumOf } from './other-amounts.ts';
import { isEnough } from './quote-amounts.ts';

type Quoted = Pick<QuoteRow, 'amount' | 'decimals' | 'tolerance'>;
type Status = SessionWalletPayment['status'];

function reportOf<S extends Status>(
  quote: Quoted,
  transfers: readonly TransferRow[],
  statusOf: (excess: bigint) => S,
) {
  const newest = transfers.at(-1)!;
  const expected = BigInt(quote.amount);
  const received = sumOf(transfers);
  const text = (amount: bigint): string | null => (amount > 0n ? formatAmount(amount, quote.decimals) : null);
  return {
    status: statusOf(received - expected),
    payments: transfers.map(({ id }) => id),
    network: newest.network,
    token_address: newest.token_address || null,
    symbol: newest.symbol,
    expected: formatAmount(expected, quote.decimals),
    received: formatAmount(received, quote.decimals),
    missing: text(expected - received),
    excess: text(received - expected),
    within_tolerance: isEnough(quote, received),
    transaction_hash: newest.transaction_hash,
  };
}

export function paidBy(quote: Quoted, transfers: readonly TransferRow[]): SessionWalletPayment {
  return reportOf(quote, transfers, () => 'paid' as const);
}

/** Reports a transfer that is for the session, as far as is known, but paid for nothing. Call it under the session's lock. */
export async function reportUnassigned(
  tx: Database,
  session: SessionRow,
  quote: Quoted,
  transfer: TransferRow,
): Promise<void> {
  const transfers = transfer.reason === 'amount' ? await otherAmounts(tx, transfer).execute() : [transfer];
  await reportTogether(tx, session, quote, transfers);
}

/** The same for several with one reason, oldest first. */
export async function reportTogether(
  tx: Database,
  session: SessionRow,
  quote: Quoted,
  transfers: readonly TransferRow[],
): Promise<void> {
  const { reason } = transfers.at(-1)!;
  const payment = reportOf(quote, transfers, (excess) =>
    reason !== 'amount' ? 'unassigned' : excess < 0n ? 'underpaid' : 'overpaid',
  );
  const { status, transaction_hash: hash } = payment;
  const report = session.wallet_payment;
  // Already reported: found again after a reorganisation.
  if (report?.status === status && report.transaction_hash === hash) return;
  // A paid session keeps the payment that paid it.
  const now = report?.status === 'paid' ? session : await note(tx, session, payment);
  await recordSessionEvent(tx, {
    session: now,
    type: `payment.${status}`,
    reason: status === 'unassigned' ? reason : null,
    walletPayment: payment,
  });
}

function note(tx: Database, { id }: SessionRow, payment: SessionWalletPayment): Promise<SessionRow> {
  return tx
    .updateTable('checkout_sessions')
    .set({ wallet_payment: JSON.stringify(payment) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
