/** What the payment page shows of a quote: what to pay, and what has arrived. */
import type { WalletPayment } from '../../../src/api/pay.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import type { Database } from '../../database/database.ts';
import type { QuoteRow, SessionRow } from '../../database/schema.ts';
import { countedTransfers, sightingsAt } from './addresses/weigh.ts';
import { sumOf } from './other-amounts.ts';
import { signedOrder } from './signed-order.ts';
import { currentQuote, isUnderWay } from './current-quote.ts';

/** A payment with its signed order, while it can be paid. */
export async function withOrder(
  service: Parameters<typeof signedOrder>[0],
  session: SessionRow,
  payment: WalletPayment,
): Promise<WalletPayment> {
  if (payment.state !== 'quoted') return payment;
  const row = await currentQuote(service.db, session.id);
  // Another quote may have replaced it since.
  if (!row || row.expires_at.getTime() !== payment.expiresAt) return payment;
  return { ...payment, order: await signedOrder(service, session, row) };
}

export async function describePayment(db: Database, { id }: QuoteRow): Promise<WalletPayment> {
  // In one statement: between two, a reorganisation could remove the transfer and its hash.
  const row = await db
    .selectFrom('wallet_quotes as quote')
    .leftJoin('wallet_transfers as transfer', (join) =>
      join.onRef('transfer.quote_id', '=', 'quote.id').on('transfer.state', 'in', ['pending', 'paid']),
    )
    .selectAll('quote')
    .select(['transfer.transaction_hash', 'transfer.confirmations as confirmed'])
    .select((is) =>
      is
        .selectFrom('wallet_transfers as wrong')
        .select((of) => of.fn.sum<string | null>('wrong.amount').as('amount'))
        .whereRef('wrong.session_id', '=', 'quote.session_id')
        .whereRef('wrong.network', '=', 'quote.network')
        .whereRef('wrong.token_address', '=', 'quote.token_address')
        .where('wrong.state', '=', 'unassigned')
        .where('wrong.reason', '=', 'amount')
        .as('received'),
    )
    .select((is) =>
      is
        .selectFrom('wallet_transfers as part')
        .select('part.transaction_hash')
        .whereRef('part.session_id', '=', 'quote.session_id')
        .where('part.certain', '=', true)
        .where('quote.enough', '=', true)
        .orderBy('part.seen_at', 'desc')
        .limit(1)
        .as('part_hash'),
    )
    .where('quote.id', '=', id)
    // Of several that add up.
    .orderBy('transfer.confirmations')
    .limit(1)
    .executeTakeFirstOrThrow();
  const good = row.state === 'quoted' && row.expires_at.getTime() > Date.now();
  const received = row.key_id === null ? row.received : await receivedAt(db, row);
  return {
    state: isUnderWay(row) ? 'pending' : row.state === 'paid' ? 'paid' : good ? 'quoted' : 'expired',
    to: row.address,
    amount: formatAmount(BigInt(row.amount), row.decimals),
    expiresAt: row.expires_at.getTime(),
    transactionHash: row.transaction_hash ?? row.part_hash ?? row.told_hash,
    confirmations: Math.min(row.confirmed ?? 0, row.confirmations),
    needed: row.confirmations,
    ...problemOf({ ...row, received }),
    ...(row.secret_type === 'AETERNITY' && { memo: row.session_id }),
    order: null,
  };
}

/** What came to the session's own address so far, and what is on its way there. Null: nothing. */
async function receivedAt(db: Database, quoted: QuoteRow): Promise<string | null> {
  if (quoted.state === 'paid' || isUnderWay(quoted)) return null;
  const [counted, sightings] = await Promise.all([countedTransfers(db, quoted), sightingsAt(db, quoted)]);
  const inTime = sightings.filter(
    ({ missing_since, seen_at }) => missing_since === null && seen_at <= quoted.expires_at,
  );
  const sum = sumOf(counted) + sumOf(inTime);
  return sum > 0n ? sum.toString() : null;
}

/** `received`: transfers of other amounts than the quote's that the page reported, or that came to the session's own address. */
function problemOf({
  problem,
  amount,
  decimals,
  enough,
  key_id,
  received,
}: QuoteRow & { received: string | null }): Pick<WalletPayment, 'problem' | 'received' | 'difference'> {
  if (enough) return { problem: null, received: null, difference: null };
  if (received === null || (problem !== 'amount' && key_id === null))
    return { problem: problem as WalletPayment['problem'], received: null, difference: null };
  const excess = BigInt(received) - BigInt(amount);
  return {
    problem: excess < 0n ? 'underpaid' : 'overpaid',
    received: formatAmount(BigInt(received), decimals),
    difference: formatAmount(excess < 0n ? -excess : excess, decimals),
  };
}
