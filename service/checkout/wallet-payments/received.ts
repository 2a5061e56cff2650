/** Transfers to receiving wallets, and what they paid. */
import { randomBytes } from 'node:crypto';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ReceivedPayment, ReceivedQuery } from '../../../src/api/receiving-wallet.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import { isDust } from '../../../src/chains/nodes/incoming.ts';
import type { Database } from '../../database/database.ts';
import type { CursorRow, QuoteRow, SessionRow, TransferRow } from '../../database/schema.ts';
import { type Page, readPage } from '../../http/paging.ts';
import { withSession } from '../sessions/transitions.ts';
import type { ChainTransfer } from './chains/chain-reader.ts';
import { readerOf } from './chains/reader-of.ts';
import { refreshSession } from './hold-session.ts';
import { reportUnassigned } from './payment-report.ts';
import { noteSum } from './payment-sums.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

type Reason = NonNullable<ReceivedPayment['reason']>;

/** The quote that a transfer pays; or the reason why it pays none, with the quote that it was meant for if that is known. */
interface Assignment {
  quote: QuoteRow | undefined;
  reason: Reason | null;
  /** Its amount does not say so, but its sender does, while the price holds. */
  certain?: boolean | undefined;
}

/**
 * Records a transfer that a block has, once. A transfer of exactly a quote's amount is its payment, whoever sent or reported it; every
 * other one is recorded as unassigned. Undefined when it is already recorded, belongs to no quote, or is dust that nobody asks for.
 */
export async function record(
  db: Database,
  cursor: CursorRow,
  transfer: ChainTransfer,
  settings: WalletPaymentSettings,
): Promise<TransferRow | undefined> {
  const { quote } = await assignmentOf(db, cursor, transfer);
  if (!quote) return insert(db, cursor, transfer, { quote, reason: 'amount' });
  return withSession(db, 'id', quote.session_id, async (tx, session) => {
    const assignment = await assignmentOf(tx, cursor, transfer);
    const made = await insert(tx, cursor, transfer, assignment);
    if (!made || !assignment.quote) return made;
    if (made.state === 'pending')
      await tx
        .updateTable('wallet_quotes')
        .set({ state: 'pending', problem: null })
        .where('id', '=', assignment.quote.id)
        .execute();
    else if (assignment.quote.state !== 'paid' && assignment.quote.state !== 'pending')
      await tx
        .updateTable('wallet_quotes')
        .set({ problem: assignment.reason === 'late' ? 'late' : 'amount' })
        .where('id', '=', assignment.quote.id)
        .execute();
    if (made.state === 'unassigned' && !(made.certain && (await noteSum(tx, assignment.quote))))
      await reportUnassigned(tx, session!, assignment.quote, made);
    await refreshSession(tx, quote.session_id, settings);
    return made;
  });
}

async function assignmentOf(db: Database, cursor: CursorRow, transfer: ChainTransfer): Promise<Assignment> {
  const quotes = db
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('address', '=', transfer.to);
  const exact = await quotes
    .where('amount', '=', transfer.amount.toString())
    .where('reserved', '=', true)
    // A transfer from before the quote is not its payment.
    .where('from_block', '<', String(transfer.block))
    .executeTakeFirst();
  if (!exact) {
    const { hash, session } = transfer;
    const reported = await quotes
      .where((is) =>
        is.or([
          is('told_hash', '=', hash),
          ...(session === undefined ? [] : [is('session_id', '=', session)]),
        ]),
      )
      .where('watched', '=', true)
      .where('from_block', '<', String(transfer.block))
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const certain = reported?.state === 'quoted' && reported.session_id === session;
    return { quote: reported, reason: 'amount', certain };
  }
  if (exact.state === 'quoted') {
    const other = await db
      .selectFrom('wallet_transfers')
      .select('id')
      .where('network', '=', cursor.network)
      .where('transaction_hash', '=', transfer.hash)
      .where('log_index', '<>', transfer.logIndex)
      .where('state', 'in', ['pending', 'paid'])
      .executeTakeFirst();
    return { quote: exact, reason: other ? 'shared' : null };
  }
  return { quote: exact, reason: exact.state === 'expired' ? 'late' : 'complete' };
}

async function insert(
  tx: Database,
  cursor: CursorRow,
  transfer: ChainTransfer,
  { quote, reason, certain }: Assignment,
): Promise<TransferRow | undefined> {
  // A transfer that pays nothing gets its description from the newest quote of the wallet.
  const like = quote ?? (await newestQuote(tx, cursor, transfer));
  if (!like || (!quote && isLeftOut(cursor, transfer, like))) return undefined;
  const written = await write(tx, cursor, transfer, like, { quote, reason, certain });
  if (written || reason !== null) return written;
  // Another transfer of the same transaction was recorded first; if it was this one, the insert does nothing again.
  return write(tx, cursor, transfer, like, { quote, reason: 'shared' });
}

function isLeftOut(
  { secret_type }: CursorRow,
  { amount }: ChainTransfer,
  { symbol, decimals }: Pick<QuoteRow, 'symbol' | 'decimals'>,
): boolean {
  return readerOf(secret_type).ignoresDust === true && isDust({ raw: amount, symbol, decimals });
}

async function write(
  tx: Database,
  cursor: CursorRow,
  transfer: ChainTransfer,
  like: QuoteRow,
  { quote, reason, certain = false }: Assignment,
): Promise<TransferRow | undefined> {
  return (
    tx
      .insertInto('wallet_transfers')
      .values({
        id: `pi_${randomBytes(12).toString('hex')}`,
        application_id: like.application_id,
        quote_id: quote?.id ?? null,
        session_id: quote?.session_id ?? null,
        network: cursor.network,
        token_address: cursor.token_address,
        symbol: like.symbol,
        decimals: like.decimals,
        address: transfer.to,
        sender: transfer.sender,
        amount: transfer.amount.toString(),
        transaction_hash: transfer.hash,
        log_index: transfer.logIndex,
        block_number: transfer.block,
        block_hash: transfer.blockHash,
        state: reason === null ? 'pending' : 'unassigned',
        reason,
        certain,
      })
      // It may violate any of the unique indexes.
      .onConflict((on) => on.doNothing())
      .returningAll()
      .executeTakeFirst()
  );
}

/** Undefined for a transfer from before the first quote. */
async function newestQuote(
  db: Database,
  cursor: CursorRow,
  transfer: ChainTransfer,
): Promise<QuoteRow | undefined> {
  return db
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('address', '=', transfer.to)
    .where('from_block', '<', String(transfer.block))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Forgets unassigned transfers after this block, because the chain was reorganised: those still in it are found again. A refunded one is
 * kept: found again, it would be a new one, which could be refunded again.
 */
export async function forgetUnassigned(db: Database, cursor: CursorRow, behind: number): Promise<void> {
  await db
    .deleteFrom('wallet_transfers')
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('block_number', '>', String(behind))
    .where('state', '=', 'unassigned')
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.payment_id', '=', 'wallet_transfers.id'),
        ),
      ),
    )
    .execute();
}

/** A transfer that is for the session, as far as is known. */
export function findTransfer(
  db: Database,
  session: SessionRow,
  id: string,
): Promise<TransferRow | undefined> {
  return db
    .selectFrom('wallet_transfers')
    .selectAll()
    .where('id', '=', id)
    .where('session_id', '=', session.id)
    .where('application_id', '=', session.application_id)
    .executeTakeFirst();
}

/** Lists an application's transfers, newest first. */
export async function listReceived(
  db: Database,
  applicationId: string,
  query: ReceivedQuery,
): Promise<Page<ReceivedPayment>> {
  const { state, session, before } = query;
  let selection = db.selectFrom('wallet_transfers').selectAll().where('application_id', '=', applicationId);
  if (state) selection = selection.where('state', '=', state);
  if (session) selection = selection.where('session_id', '=', session);
  if (before !== undefined) {
    const earlier: Expression<SqlBool> = sql`(seen_at, id) < (select seen_at, id from wallet_transfers where id = ${before})`;
    selection = selection.where(earlier);
  }
  const order = { at: 'seen_at', id: 'id', first: 'newest' } as const;
  const { rows, next } = await readPage(['payments', applicationId, state, session], query, selection, order);
  return { rows: rows.map(describe), next };
}

function describe(row: TransferRow): ReceivedPayment {
  return {
    id: row.id,
    state: row.state,
    reason: row.reason as ReceivedPayment['reason'],
    sessionId: row.session_id,
    network: row.network,
    tokenAddress: row.token_address || null,
    symbol: row.symbol,
    amount: formatAmount(BigInt(row.amount), row.decimals),
    from: row.sender || null,
    to: row.address,
    transactionHash: row.transaction_hash,
    seenAt: row.seen_at.toISOString(),
  };
}
