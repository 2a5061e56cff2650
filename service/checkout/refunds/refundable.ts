/** What can be refunded of a session's payments. */
import { sql } from 'kysely';
import { RECEIVING_CHAINS, type ReceivingChain } from '../../../src/api/secret-type.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import type { Network } from '../../../src/chains/network.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow, TransferRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { findTransfer } from '../wallet-payments/received.ts';
import { TAKES } from '../wallet-payments/taken-by-refunds.ts';

/** `transfer`: the transfer to the receiving wallet; absent for a card payment. */
export type RefundedPayment = { id: string; total: bigint; transfer?: TransferRow };

/**
 * The payment to refund: the one that paid the session, or the transfer that `payment` names, which may have paid for nothing. Throws
 * `checkout.refund.refused` for a session that is not paid, and `request.invalid` at `payment`.
 */
export async function paymentOf(
  db: Database,
  session: SessionRow,
  payment: string | undefined,
): Promise<RefundedPayment> {
  const id = payment ?? session.payment_intent;
  const transfer = id === null ? undefined : await findTransfer(db, session, id);
  if (transfer) return { id: transfer.id, total: BigInt(transfer.amount), transfer };
  if (payment !== undefined && payment !== session.payment_intent)
    throw invalid('payment', 'must be the id of a payment of this session');
  if (id === null || session.payment_status !== 'paid')
    throw new ConnectError(
      'checkout.refund.refused',
      'The session is not paid: there is nothing to refund.',
      {
        reason: 'unpaid',
      },
    );
  return { id, total: BigInt(session.amount_total) };
}

/** The transaction must hold the lock on the session's row, so that two refunds cannot both take what is left. */
async function leftOf(tx: Database, { id, total }: RefundedPayment): Promise<bigint> {
  const { rows } = await sql<{ taken: string }>`select coalesce(sum(amount), 0)::text as taken from refunds
    where payment_id = ${id} and ${TAKES}`.execute(tx);
  return total - BigInt(rows[0]!.taken);
}

/** Throws `checkout.refund.refused` if less is left than the amount. Without an amount, it is all that is left. */
export async function requireLeft(
  tx: Database,
  payment: RefundedPayment,
  amount: bigint | undefined,
): Promise<bigint> {
  const left = await leftOf(tx, payment);
  const wanted = amount ?? left;
  if (wanted > 0n && wanted <= left) return wanted;
  const { transfer } = payment;
  throw new ConnectError(
    'checkout.refund.refused',
    left === 0n
      ? 'The payment is already refunded in full.'
      : 'The amount is more than is left of the payment.',
    { reason: 'amount', refundable: transfer ? formatAmount(left, transfer.decimals) : Number(left) },
  );
}

/** Whether a refund is of what paid the session, not of a transfer that paid for nothing. */
export function isOfPayment({ id, payment_intent }: Pick<SessionRow, 'id' | 'payment_intent'>) {
  return sql<boolean>`(refunds.payment_id = ${payment_intent} or refunds.payment_id in
    (select t.id from wallet_transfers t where t.session_id = ${id} and t.state = 'paid'))`;
}

/** Throws `checkout.refund.refused` if the service no longer knows it. */
export function networkOf(
  { networks }: Pick<Service, 'networks'>,
  transfer: TransferRow,
): Network & { secretType: ReceivingChain } {
  const network = networks.file.networks.find(({ id }) => id === transfer.network);
  if (network && isReceiving(network)) return network;
  throw new ConnectError('checkout.refund.refused', `The service no longer knows ${transfer.network}.`, {
    reason: 'provider',
  });
}

function isReceiving(network: Network): network is Network & { secretType: ReceivingChain } {
  return (RECEIVING_CHAINS as readonly string[]).includes(network.secretType);
}
