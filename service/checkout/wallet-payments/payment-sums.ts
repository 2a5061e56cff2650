/**
 * Payments of other amounts than the price, where it is certain for which session they are. A reported hash makes nothing certain, because
 * anybody can report it.
 */
import type { Database } from '../../database/database.ts';
import type { QuoteRow, TransferRow } from '../../database/schema.ts';
import { isTaken } from './taken-by-refunds.ts';
import { otherAmounts, sumOf } from './other-amounts.ts';
import { isEnough } from './quote-amounts.ts';

/** Of the quote's session in its coin or token, oldest first; without those that are refunded. */
export function certainTransfers(db: Database, quote: QuoteRow): Promise<TransferRow[]> {
  return otherAmounts(db, quote)
    .where('certain', '=', true)
    .where((is) => is.not(isTaken('wallet_transfers.id')))
    .execute();
}

export function isPaidBy(quote: QuoteRow, transfers: readonly TransferRow[]): boolean {
  return isEnough(quote, sumOf(transfers));
}

/** Notes whether the session's payments add up to its price. Call it under the session's lock. */
export async function noteSum(tx: Database, quote: QuoteRow): Promise<boolean> {
  const enough = isPaidBy(quote, await certainTransfers(tx, quote));
  await tx.updateTable('wallet_quotes').set({ enough }).where('id', '=', quote.id).execute();
  return enough;
}
