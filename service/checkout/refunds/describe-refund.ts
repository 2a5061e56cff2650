/** Refunds as the API shows them. */
import type { Refund, RefundsQuery } from '../../../src/api/refund.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { RefundRow } from '../../database/schema.ts';
import { type Page, readPage } from '../../http/paging.ts';

/** A refund with the hash of its transaction; null for a refund by card. */
type HashedRefund = RefundRow & { hash: string | null };

function hashed(db: Database) {
  return db
    .selectFrom('refunds')
    .leftJoin('transactions', 'transactions.id', 'refunds.transaction_id')
    .selectAll('refunds')
    .select('transactions.hash');
}

function describeRefund(row: HashedRefund): Refund {
  const byCard = row.method === 'card';
  return {
    id: row.id,
    object: 'refund',
    created: Math.floor(row.created_at.getTime() / 1000),
    session: row.session_id,
    payment: row.payment_id,
    method: row.method,
    status: row.state,
    failure_reason: row.failure,
    note: row.note,
    amount: byCard ? Number(row.amount) : null,
    currency: row.currency?.toLowerCase() ?? null,
    wallet: byCard
      ? null
      : {
          amount: formatAmount(BigInt(row.amount), row.decimals!),
          symbol: row.symbol!,
          network: row.network!,
          token_address: row.token_address || null,
          to: row.address!,
          transaction_hash: row.hash!,
        },
  };
}

/** Throws `request.not-found`. */
export async function readRefund(db: Database, sessionId: string, id: string): Promise<Refund> {
  const row = await hashed(db)
    .where('refunds.id', '=', id)
    .where('refunds.session_id', '=', sessionId)
    .executeTakeFirst();
  if (!row) throw new ConnectError('request.not-found', 'The session has no such refund.');
  return describeRefund(row);
}

/** Lists a session's refunds, newest first. */
export async function listRefunds(
  db: Database,
  sessionId: string,
  query: RefundsQuery,
): Promise<Page<Refund>> {
  const { status } = query;
  let selection = hashed(db).where('session_id', '=', sessionId);
  if (status) selection = selection.where('refunds.state', '=', status);
  const order = { at: 'refunds.created_at', id: 'refunds.id', first: 'newest' } as const;
  const { rows, next } = await readPage(['refunds', sessionId, status], query, selection, order);
  return { rows: rows.map(describeRefund), next };
}
