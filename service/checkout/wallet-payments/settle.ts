/** Follows payments that wait for confirmations. */
import type { Node } from '../../../src/chains/terms.ts';
import type { CustomerDetails } from '../../../src/api/checkout.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { CursorRow, QuoteRow, SessionRow, TransferRow } from '../../database/schema.ts';
import type { PaymentProvider } from '../sessions/payment-provider.ts';
import { complete, follow, withSession } from '../sessions/transitions.ts';
import { readerOf } from './chains/reader-of.ts';
import { refreshSession } from './hold-session.ts';
import { readAgain } from './advance-cursor.ts';
import { readQuote } from './quote-rows.ts';
import { paidBy, reportTogether } from './payment-report.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

/** All that a transaction says about its sender is an address, which events do not pass on to the shop. */
export const UNKNOWN_CUSTOMER: CustomerDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
};

export interface Settling {
  db: Database;
  payments: PaymentProvider;
  settings: WalletPaymentSettings;
  /** Called when a payment is decided. */
  decided(transfer: TransferRow): void;
}

export function pendingTransfers(db: Database, cursor: CursorRow): Promise<TransferRow[]> {
  return db
    .selectFrom('wallet_transfers')
    .selectAll()
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('state', '=', 'pending')
    .orderBy('block_number')
    .execute();
}

interface Place {
  cursor: CursorRow;
  transfer: TransferRow;
  /** Number of the newest block. */
  head: number;
  /** The block that it was seen in is known to be still in the chain. */
  known: boolean;
}

/**
 * Locates the transfer, and settles it with the last confirmation. If the chain was reorganised without it, its blocks are read again.
 */
export async function checkPending(parts: Settling, node: Node, place: Place): Promise<void> {
  const { cursor, transfer, head, known } = place;
  const { db, settings } = parts;
  const quote = await readQuote(db, transfer.quote_id!);
  const counted = head - Number(transfer.block_number) + 1;
  if (known && transfer.confirmations > 0 && counted > 0 && counted < quote.confirmations)
    return noteConfirmations(db, transfer, { confirmations: counted });
  const { locate, readBlock } = readerOf(cursor.secret_type);
  const now = await locate(
    node,
    { hash: transfer.transaction_hash, logIndex: transfer.log_index },
    { token: transfer.token_address, address: transfer.address, amount: BigInt(transfer.amount) },
  );
  if (!now) {
    const seenIn = Number(transfer.block_number);
    // The block is in the chain, so this node of a group just does not have the receipt.
    if ((await readBlock(node, seenIn))?.hash === transfer.block_hash) return;
    // Before anything else: it may be in any later block, and is only found while something waits for it.
    await readAgain(db, node, cursor, seenIn - 1);
    return takeBack(db, transfer, quote.session_id, settings);
  }
  // Only the first time, so that the session is not also paid elsewhere while this waits.
  if (transfer.confirmations === 0) await closeElsewhere(db, parts.payments, quote.session_id);
  const confirmations = Math.max(0, head - now.block + 1);
  const moved = now.blockHash !== transfer.block_hash;
  await noteConfirmations(db, transfer, {
    confirmations,
    ...(moved && { block_number: now.block, block_hash: now.blockHash, log_index: now.logIndex }),
  });
  if (confirmations < quote.confirmations) return;
  const isFinal = await readerOf(cursor.secret_type).isFinal?.(node, {
    number: now.block,
    hash: now.blockHash,
  });
  if (isFinal !== false) await settle(parts, [transfer], quote);
}

/** And its block, if that has changed. */
export async function noteConfirmations(
  db: Database,
  { id, confirmations }: TransferRow,
  changes: { confirmations: number; block_number?: number; block_hash?: string; log_index?: number },
): Promise<void> {
  if (changes.confirmations === confirmations && changes.block_hash === undefined) return;
  await db
    .updateTable('wallet_transfers')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** No block has it any more: the quote waits for its payment again. The transfer may soon be found in another block. */
function takeBack(
  db: Database,
  transfer: TransferRow,
  sessionId: string,
  settings: WalletPaymentSettings,
): Promise<void> {
  return withSession(db, 'id', sessionId, async (tx) => {
    const gone = await tx
      .deleteFrom('wallet_transfers')
      .where('id', '=', transfer.id)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (!gone) return;
    await tx
      .updateTable('wallet_quotes')
      .set({ state: 'quoted', told_hash: transfer.transaction_hash, known_at: new Date(), problem: null })
      .where('id', '=', transfer.quote_id)
      .execute();
    await refreshSession(tx, sessionId, settings);
  });
}

/** Settles the transfers that pay a quote together. */
export async function settle(
  parts: Settling,
  transfers: readonly TransferRow[],
  quote: QuoteRow,
): Promise<void> {
  const { db, payments, settings } = parts;
  const { session_id: sessionId } = quote;
  await closeElsewhere(db, payments, sessionId);
  const decided = await withSession(db, 'id', sessionId, async (tx, current) => {
    const session = current!;
    const open = session.status === 'open';
    const rows = await tx
      .updateTable('wallet_transfers')
      .set(
        open ? { state: 'paid' } : { state: 'unassigned', reason: session.status as 'complete' | 'expired' },
      )
      .where(
        'id',
        'in',
        transfers.map(({ id }) => id),
      )
      .where('state', '=', 'pending')
      .returningAll()
      .execute();
    // Another process was faster.
    if (rows.length === 0) return [];
    if (rows.length < transfers.length) throw new Error('a part of a payment is no longer there');
    const inOrder = transfers.map(({ id }) => rows.find((row) => row.id === id)!);
    await tx
      .updateTable('wallet_quotes')
      .set(open ? { state: 'paid' } : { state: 'expired', problem: 'late' })
      .where('id', '=', quote.id)
      .execute();
    if (open)
      await complete(tx, session, {
        paid: true,
        paymentIntent: inOrder[0]!.id,
        customerDetails: UNKNOWN_CUSTOMER,
        walletPayment: paidBy(quote, inOrder),
      });
    else await reportTogether(tx, session, quote, inOrder);
    await refreshSession(tx, sessionId, settings);
    return inOrder;
  });
  for (const row of decided) parts.decided(row);
}

/** The provider of cards does not answer: the payment waits for it. */
export function isPostponed(error: unknown): error is ConnectError {
  return error instanceof ConnectError && error.code === 'checkout.provider.unreachable';
}

/** Closes the provider's own session, so that nobody can pay it any more. Throws `checkout.provider.unreachable`. */
export async function closeElsewhere(
  db: Database,
  payments: PaymentProvider,
  sessionId: string,
): Promise<void> {
  const session: SessionRow = await db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  if (session.status !== 'open' || !session.provider_session || session.provider !== payments.name) return;
  const outcome = await payments.close(session);
  // It was paid there at the last moment.
  if (outcome.status === 'complete')
    await withSession(db, 'id', sessionId, (tx, now) => follow(tx, now!, outcome));
}
