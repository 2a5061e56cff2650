/** Takes back what a reorganisation removed. */
import type { Database } from '../../../database/database.ts';
import type { TransferRow } from '../../../database/schema.ts';
import { withSession } from '../../sessions/transitions.ts';
import { refreshSession } from '../hold-session.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';
import { weighAgain } from './weigh.ts';

/**
 * A reorganisation removed its block, and no other has it: if it counted, it is in time again when it comes back, and what is left is weighed
 * anew. One that is being refunded is kept: found again, it would be a new one, which could be refunded again.
 */
export function takeBack(
  db: Database,
  transfer: TransferRow,
  settings: WalletPaymentSettings,
): Promise<boolean> {
  const { id, session_id, network, quote_id, block_hash } = transfer;
  return withSession(db, 'id', session_id!, async (tx, session) => {
    const gone = await tx
      .deleteFrom('wallet_transfers')
      .where('id', '=', id)
      .where('state', 'in', ['pending', 'unassigned'])
      // It was not found in another block meanwhile.
      .where('block_hash', '=', block_hash)
      .where((is) =>
        is.not(is.exists(is.selectFrom('refunds').select('refunds.id').where('payment_id', '=', id))),
      )
      .returningAll()
      .executeTakeFirst();
    if (!gone) return false;
    const place = { session_id: session_id!, network };
    if (gone.state === 'pending') {
      await tx
        .updateTable('wallet_transfers')
        .set({ state: 'unassigned', reason: 'amount' })
        .where('quote_id', '=', quote_id)
        .where('state', '=', 'pending')
        .execute();
      await tx
        .updateTable('wallet_quotes')
        .set({ state: 'quoted', problem: null })
        .where('id', '=', quote_id)
        .execute();
    }
    if (gone.state === 'pending' || gone.reason === 'amount') await seeAgain(tx, gone, settings);
    await weighAgain(tx, session!, place);
    await refreshSession(tx, session!.id, settings);
    return true;
  });
}

/** As timely as its first block was. */
async function seeAgain(
  tx: Database,
  {
    network,
    transaction_hash,
    log_index,
    application_id,
    session_id,
    address,
    amount,
    seen_at,
    quote_id,
  }: TransferRow,
  { seenMs }: WalletPaymentSettings,
): Promise<void> {
  const { expires_at } = await tx
    .selectFrom('wallet_quotes')
    .select('expires_at')
    .where('id', '=', quote_id)
    .executeTakeFirstOrThrow();
  const seenAt = Math.max(Math.min(seen_at.getTime(), expires_at.getTime()), Date.now() - seenMs);
  await tx
    .insertInto('wallet_sightings')
    .values({
      network,
      transaction_hash,
      log_index,
      application_id,
      session_id: session_id!,
      address,
      amount,
      seen_at: new Date(seenAt),
      missing_since: null,
    })
    .onConflict((on) => on.doNothing())
    .execute();
}
