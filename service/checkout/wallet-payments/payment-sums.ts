/**
 * Payments of other amounts than the price, where it is certain for which session they are. A reported hash makes nothing certain, because
 * anybody can report it.
 */
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { QuoteRow, TransferRow } from '../../database/schema.ts';
import { isEnough } from './quote-amounts.ts';

/** Of the quote's session in its coin or token, oldest first; without those that are refunded. */
export function certainTransfers(db: Database, quote: QuoteRow): Promise<TransferRow[]> {
  return db
    .selectFrom('wallet_transfers')
    .selectAll()
    .where('session_id', '=', quote.session_id)
    .where('network', '=', quote.network)
    .where('token_address', '=', quote.token_address)
    .where('state', '=', 'unassigned')
    .where('reason', '=', 'amount')
    .where('certain', '=', true)
    .where(
      sql<boolean>`not exists (select from refunds r where r.payment_id = wallet_transfers.id and r.state <> 'failed')`,
    )
    .orderBy('seen_at')
    .execute();
}

export function isPaidBy(quote: QuoteRow, transfers: readonly TransferRow[]): boolean {
  return isEnough(
    quote,
    transfers.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  );
}

/** Notes whether the session's payments add up to its price. Call it under the session's lock. */
export async function noteSum(tx: Database, quote: QuoteRow): Promise<boolean> {
  const enough = isPaidBy(quote, await certainTransfers(tx, quote));
  await tx.updateTable('wallet_quotes').set({ enough }).where('id', '=', quote.id).execute();
  return enough;
}
