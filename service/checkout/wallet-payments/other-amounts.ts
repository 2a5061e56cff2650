/** Transfers that are for a session, as far as is known, but not of its price. */
import type { Database } from '../../database/database.ts';
import type { TransferRow } from '../../database/schema.ts';

/** In one coin or token, oldest first, refunded or not. */
export function otherAmounts(
  db: Database,
  { session_id, network, token_address }: Pick<TransferRow, 'session_id' | 'network' | 'token_address'>,
) {
  return db
    .selectFrom('wallet_transfers')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('network', '=', network)
    .where('token_address', '=', token_address)
    .where('state', '=', 'unassigned')
    .where('reason', '=', 'amount')
    .orderBy('seen_at')
    .orderBy('block_number')
    .orderBy('log_index');
}

/** In smallest units. */
export function sumOf(amounts: readonly { amount: string }[]): bigint {
  return amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}
