/** What refunds take of a payment. */
import { type RawBuilder, sql } from 'kysely';

/** Failure of a transaction that nodes have forgotten: it may still take effect, so its amount is taken all the same. */
export const UNKNOWN = 'unknown';

/** Whether a row of `refunds` takes its amount of the payment. */
export const TAKES: RawBuilder<boolean> = sql`(refunds.state <> 'failed' or refunds.failure = ${UNKNOWN})`;

/** Whether any of the payment with the id in this column is, or may be, refunded. */
export function isTaken(column: string): RawBuilder<boolean> {
  return sql`exists (select from refunds where refunds.payment_id = ${sql.ref(column)} and ${TAKES})`;
}
