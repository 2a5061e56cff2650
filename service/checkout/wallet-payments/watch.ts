/** Reads the chains while payments are expected. */
import type { FastifyBaseLogger } from 'fastify';
import type { Node } from '../../../src/chains/terms.ts';
import type { Database } from '../../database/database.ts';
import type { CursorRow, QuoteRow, TransferRow } from '../../database/schema.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import type { Service } from '../../service.ts';
import { withSession } from '../sessions/transitions.ts';
import type { TransactionState } from './chains/chain-reader.ts';
import { outputReaderOf, readerOf } from './chains/reader-of.ts';
import { forgetSightings, isSearched, readAddresses } from './addresses/watch-addresses.ts';
import { Watcher } from '../../scanning/rounds.ts';
import { PAYMENT_CURSORS, noteRead } from './cursors.ts';
import { UNDER_WAY } from './current-quote.ts';
import { refreshSession } from './hold-session.ts';
import { watchedQuotes } from './quote-rows.ts';
import { advanceCursor } from './advance-cursor.ts';
import { checkPending, isPostponed, pendingTransfers } from './settle.ts';
import { settleSums } from './settle-sums.ts';
import { reportUnassigned } from './payment-report.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

/** Cursors that one process moves at a time. */
const CONCURRENT = 4;

export interface Watching extends Pick<Service, 'db' | 'clock' | 'networks' | 'payments'> {
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  settings: WalletPaymentSettings;
  /** Counts what happens. */
  count(what: 'seen' | 'paid' | 'unassigned'): void;
}

export function startWatching(watching: Watching): Watcher<CursorRow> {
  const { db, clock, log, settings } = watching;
  return new Watcher({
    db,
    clock,
    cursors: PAYMENT_CURSORS,
    log,
    times: settings,
    concurrent: CONCURRENT,
    subject: 'payments by wallet',
    about: (cursor) => ({ network: cursor.network, token: cursor.token_address || undefined }),
    read: (cursor, isStopped) => read(watching, cursor, isStopped),
    isWanted: (cursor) =>
      outputReaderOf(cursor.secret_type) ? isSearched(db, cursor) : isWaiting(db, cursor),
    sweep: async () => {
      await freeAmounts(db, settings);
      await forgetSightings(db, settings);
    },
  });
}

async function read(
  watching: Watching,
  cursor: CursorRow,
  isStopped: () => boolean,
): Promise<{ everyMs: number; done: boolean }> {
  const { db, networks, settings, payments, log, count } = watching;
  const node = await networks.reachBlocks(cursor.secret_type, cursor.network);
  const local = node.network.kind === 'local';
  const reader = outputReaderOf(cursor.secret_type);
  const everyMs = local ? settings.everyLocalMs : Math.max(settings.everyMs, reader?.everyMs ?? 0);
  const askedAt = Date.now();
  const noted = (message: string) => (transfer: TransferRow) => {
    const { id, session_id: session, network, transaction_hash: transaction, reason } = transfer;
    count(transfer.state === 'pending' ? 'seen' : transfer.state);
    log.info({ payment: id, session, network, transaction, ...(reason && { reason }) }, message);
  };
  const recorded = noted('a payment by wallet was seen');
  const decided = noted('a payment by wallet was decided');
  const postponed = (error: ConnectError, { id }: TransferRow): void =>
    log.warn({ err: error, payment: id }, 'a payment by wallet waits for the provider');
  if (reader) {
    const checkReports = () => checkReported(watching, node, cursor);
    const parts = { db, node, reader, settings, payments, isStopped, recorded, decided };
    const round = { ...parts, postponed, checkReports };
    return { everyMs, done: await readAddresses(round, cursor) };
  }
  const advance = await advanceCursor({ db, node, settings, isStopped, recorded }, cursor);
  if (!advance) return { everyMs, done: true };
  const { head } = advance;
  for (const transfer of await pendingTransfers(db, cursor)) {
    if (isStopped()) break;
    await PAYMENT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    try {
      // When everything was read to the head, the block that it was seen in is still in the chain.
      const place = { cursor, transfer, head: head.number, known: advance.done };
      await checkPending({ db, payments, settings, decided }, node, place);
    } catch (error) {
      // The rest of the round goes on without the provider; the next payment would have to wait as long.
      if (!isPostponed(error)) throw error;
      postponed(error, transfer);
      break;
    }
  }
  await settleSums({ db, networks, payments, settings, decided }, cursor);
  await checkReported(watching, node, cursor);
  // Not after it was moved back to be read again.
  const done = advance.done && Number(cursor.position) >= head.number;
  if (done) {
    // As long as the node keeps up, whatever is mined after the query is in a later block.
    const { isSealed } = readerOf(cursor.secret_type);
    const fresh = !isSealed && (local || askedAt - head.time < settings.staleMs);
    await noteRead(db, cursor, fresh ? askedAt : head.time);
    await endQuotes(watching, cursor);
  }
  return { everyMs, done };
}

/** Whether any quote or payment still waits. */
async function isWaiting(db: Database, cursor: CursorRow): Promise<boolean> {
  const watched = await watchedQuotes(db, cursor).select('id').limit(1).executeTakeFirst();
  return watched !== undefined || (await pendingTransfers(db, cursor)).length > 0;
}

/** Checks transactions that pages reported and that no block has as a payment. */
async function checkReported({ db, settings }: Watching, node: Node, cursor: CursorRow): Promise<void> {
  const reported = await watchedQuotes(db, cursor)
    .selectAll()
    .where('state', '=', 'quoted')
    .where('told_hash', 'is not', null)
    .where((is) => is.or([is('problem', 'is', null), is('problem', '=', 'unknown')]))
    .execute();
  for (const quote of reported) {
    await PAYMENT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    const { token_address: token, address, amount } = quote;
    const state = await readerOf(cursor.secret_type).transactionState(node, quote.told_hash!, {
      token,
      address,
      amount: BigInt(amount),
    });
    await noteReport(db, cursor, quote, state, settings);
  }
}

function noteReport(
  db: Database,
  cursor: CursorRow,
  quote: QuoteRow,
  transaction: TransactionState,
  settings: WalletPaymentSettings,
): Promise<void> {
  const { id, session_id, told_hash, known_at } = quote;
  let problem: string | null = null;
  if (transaction.state === 'unknown')
    problem = Date.now() - known_at!.getTime() > settings.unknownMs ? 'unknown' : null;
  else if (transaction.state === 'mined') {
    // Its block has been read, and would have made it a payment.
    if (Number(cursor.position) >= transaction.block) problem = transaction.sends ? 'amount' : 'other';
  } else if (transaction.state !== 'waiting') problem = transaction.state;
  return withSession(db, 'id', session_id, async (tx, session) => {
    const changed = await tx
      .updateTable('wallet_quotes')
      .set({ problem, ...(transaction.state !== 'unknown' && { known_at: new Date() }) })
      .where('id', '=', id)
      .where('state', '=', 'quoted')
      .where('told_hash', '=', told_hash)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return;
    if (problem === 'amount') {
      // Shows the shop which session it was meant for.
      const named = await tx
        .updateTable('wallet_transfers')
        .set({ quote_id: id, session_id })
        .where('network', '=', cursor.network)
        .where('token_address', '=', cursor.token_address)
        .where('address', '=', quote.address)
        // Shops may share an address.
        .where('application_id', '=', quote.application_id)
        .where('transaction_hash', '=', told_hash)
        .where('state', '=', 'unassigned')
        .where('quote_id', 'is', null)
        .returningAll()
        .execute();
      for (const transfer of named) await reportUnassigned(tx, session!, quote, transfer);
    }
    await refreshSession(tx, session_id, settings);
  });
}

/** Expires quotes whose time was over when the chain was read. */
async function endQuotes({ db, settings }: Watching, cursor: CursorRow): Promise<void> {
  const { graceMs, lateMs } = settings;
  const before = (ms: number): Date => new Date(cursor.read_until.getTime() - ms);
  const over = await watchedQuotes(db, cursor)
    .select(['id', 'session_id'])
    .where('state', '=', 'quoted')
    .where('expires_at', '<=', before(graceMs))
    .where((is) => is.not(UNDER_WAY))
    .execute();
  for (const { id, session_id } of over)
    await withSession(db, 'id', session_id, async (tx) => {
      await tx
        .updateTable('wallet_quotes')
        .set({ state: 'expired' })
        .where('id', '=', id)
        .where('state', '=', 'quoted')
        .where((is) => is.not(UNDER_WAY))
        .execute();
      await refreshSession(tx, session_id, settings);
    });
  await db
    .updateTable('wallet_quotes')
    .set({ watched: false })
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('watched', '=', true)
    .where('state', 'in', ['paid', 'expired'])
    .where('expires_at', '<=', before(Math.max(graceMs, lateMs)))
    .execute();
}

/** Frees amounts for other quotes when nobody waits for them any more. */
async function freeAmounts(db: Database, { reservedMs }: WalletPaymentSettings): Promise<void> {
  await db
    .updateTable('wallet_quotes')
    .set({ reserved: false })
    .where('reserved', '=', true)
    .where('watched', '=', false)
    .where('expires_at', '<', new Date(Date.now() - reservedMs))
    .execute();
}
