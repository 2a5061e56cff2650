/** What a session and its events say of a transfer: that it paid, or what is wrong with it. */
import type { SessionWalletPayment } from '../../../src/api/checkout.ts';
import { formatAmount } from '../../../src/chains/amount.ts';
import type { Database } from '../../database/database.ts';
import type { QuoteRow, SessionRow, TransferRow } from '../../database/schema.ts';
import { recordSessionEvent } from '../sessions/session-event.ts';

type Quoted = Pick<QuoteRow, 'amount' | 'decimals'>;

type Wrong = Exclude<SessionWalletPayment['status'], 'paid'>;

function wrongOf(quote: Quoted, { reason, amount }: TransferRow): Wrong {
  if (reason !== 'amount') return 'unassigned';
  return BigInt(amount) < BigInt(quote.amount) ? 'underpaid' : 'overpaid';
}

function told<S extends SessionWalletPayment['status']>(quote: Quoted, transfer: TransferRow, status: S) {
  const [expected, received] = [BigInt(quote.amount), BigInt(transfer.amount)];
  const text = (amount: bigint): string | null => (amount > 0n ? formatAmount(amount, quote.decimals) : null);
  return {
    id: transfer.id,
    status,
    network: transfer.network,
    token_address: transfer.token_address || null,
    symbol: transfer.symbol,
    expected: formatAmount(expected, quote.decimals),
    received: formatAmount(received, quote.decimals),
    missing: text(expected - received),
    excess: text(received - expected),
    transaction_hash: transfer.transaction_hash,
  };
}

export function paidBy(quote: Quoted, transfer: TransferRow): SessionWalletPayment {
  return told(quote, transfer, 'paid');
}

/** A transfer that is for the session, as far as is known, has paid for nothing. Call it under the session's lock. */
export async function tellUnassigned(
  tx: Database,
  session: SessionRow,
  quote: Quoted,
  transfer: TransferRow,
): Promise<void> {
  const payment = told(quote, transfer, wrongOf(quote, transfer));
  const { status, transaction_hash: hash } = payment;
  const known = session.wallet_payment;
  // Found again after a reorganisation.
  if (known?.status === status && known.transaction_hash === hash) return;
  // What paid the session stays with it.
  const now = known?.status === 'paid' ? session : await note(tx, session, payment);
  await recordSessionEvent(tx, {
    session: now,
    type: `payment.${status}`,
    reason: transfer.reason === 'amount' ? null : transfer.reason,
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
