/**
 * Reads the chains while payments are expected. Any number of processes may do so in parallel: a cursor belongs to one at a time, and
 * what is recorded does not depend on which one it is.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Node } from '../../../src/chains/chain.ts';
import { acrossAccounts } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import type { CursorRow, QuoteRow, TransferRow } from '../../database/schema.ts';
import { ConnectError } from '../../../src/errors.ts';
import type { Service } from '../../service.ts';
import { withSession } from '../sessions/transitions.ts';
import type { TransactionState } from './chains/chain-reader.ts';
import { readerOf } from './chains/reader-of.ts';
import { claimCursors, closeCursor, extendLease, releaseCursor, LostLease, noteRead } from './cursors.ts';
import { refreshSession } from './quotes.ts';
import { advanceCursor } from './advance-cursor.ts';
import { checkPending, pendingTransfers } from './settle.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

/** Cursors that one process moves at a time. */
const CONCURRENT = 4;
const SWEEP_MS = 60_000;
/** Pause while the database does not answer. */
const TROUBLE_MS = 10_000;

export interface Watching extends Pick<Service, 'db' | 'clock' | 'networks' | 'payments'> {
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  settings: WalletPaymentSettings;
  /** Counts what happens. */
  count(what: 'seen' | 'paid' | 'unassigned'): void;
}

export interface Watcher {
  /** Starts a round at once. */
  wake(): void;
  /** Finishes the block that is being read. */
  stop(): Promise<void>;
}

export function startWatching(watching: Watching): Watcher {
  const { db, clock, log, settings } = watching;
  /** Rounds under way: a chain with slow nodes must not hold up the others. */
  const visits = new Set<Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let ticking = Promise.resolve();
  let sweptAt = 0;

  async function tick(): Promise<void> {
    await clock.doubt();
    if (Date.now() - sweptAt > SWEEP_MS) {
      await freeAmounts(db, settings);
      sweptAt = Date.now();
    }
    const limit = CONCURRENT - visits.size;
    const cursors = limit > 0 ? await claimCursors(db, { leaseMs: settings.leaseMs, limit }) : [];
    for (const cursor of cursors) {
      const visiting = visit(watching, cursor, () => stopped).finally(() => visits.delete(visiting));
      visits.add(visiting);
    }
  }

  function round(): void {
    clearTimeout(timer);
    timer = undefined;
    ticking = acrossAccounts('chain-reading', tick)
      .then(() => settings.tickMs)
      .catch((error: unknown) => {
        log.error({ err: error }, 'payments by wallet could not be read');
        return TROUBLE_MS;
      })
      .then((wait) => {
        if (!stopped) timer = setTimeout(round, wait);
      });
  }

  round();
  return {
    wake() {
      if (timer) round();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await ticking;
      await Promise.all(visits);
    },
  };
}

/** One round on a cursor. Never throws: failures are retried with growing pauses. */
async function visit(watching: Watching, cursor: CursorRow, isStopped: () => boolean): Promise<void> {
  const { db, log, settings } = watching;
  const about = { network: cursor.network, token: cursor.token_address || undefined };
  try {
    const { every, done } = await read(watching, cursor, isStopped);
    if (done && !(await isWaiting(db, cursor)) && (await closeCursor(db, cursor))) return;
    await releaseCursor(db, cursor, Date.now() + (done ? every : 0), 0);
  } catch (error) {
    if (error instanceof LostLease) return void log.warn(about, 'a chain took longer to read than its lease');
    const failures = cursor.failures + 1;
    // Logged only when the trouble begins.
    if (failures === 1)
      log.warn({ err: error, ...about }, 'payments by wallet could not be read from a network');
    const wait = Math.min(settings.backoffMs, settings.everyMs * 2 ** Math.min(failures, 20));
    await releaseCursor(db, cursor, Date.now() + wait, failures).catch(() => {});
  }
}

async function read(
  watching: Watching,
  cursor: CursorRow,
  isStopped: () => boolean,
): Promise<{ every: number; done: boolean }> {
  const { db, networks, settings, payments, log, count } = watching;
  const { node } = await networks.reach(cursor.secret_type, cursor.network);
  const local = node.network.kind === 'local';
  const every = local ? settings.everyLocalMs : settings.everyMs;
  const askedAt = Date.now();
  const noted = (message: string) => (transfer: TransferRow) => {
    const { id, session_id: session, network, transaction_hash: transaction, reason } = transfer;
    count(transfer.state === 'pending' ? 'seen' : transfer.state);
    log.info({ payment: id, session, network, transaction, ...(reason && { reason }) }, message);
  };
  const found = await advanceCursor(
    { db, node, settings, isStopped, recorded: noted('a payment by wallet was seen') },
    cursor,
  );
  if (!found) return { every, done: true };
  const { head } = found;
  const decided = noted('a payment by wallet was decided');
  for (const transfer of await pendingTransfers(db, cursor)) {
    if (isStopped()) break;
    await extendLease(db, cursor, settings.leaseMs);
    try {
      // When everything was read to the head, the block that it was seen in is still in the chain.
      const place = { cursor, transfer, head: head.number, known: found.done };
      await checkPending({ db, payments, settings, decided }, node, place);
    } catch (error) {
      // The rest of the round goes on without the provider; the next payment would have to wait as long.
      if (!(error instanceof ConnectError && error.code === 'checkout.provider.unreachable')) throw error;
      log.warn({ err: error, payment: transfer.id }, 'a payment by wallet waits for the provider');
      break;
    }
  }
  await checkReported(watching, node, cursor);
  // Not after it was moved back to be read again.
  const done = found.done && Number(cursor.position) >= head.number;
  if (done) {
    // As long as the node keeps up, whatever is mined after the query is in a later block.
    const fresh = local || askedAt - head.time < settings.staleMs;
    await noteRead(db, cursor, fresh ? askedAt : head.time);
    await endQuotes(watching, cursor);
  }
  return { every, done };
}

/** Whether any quote or payment still waits. */
async function isWaiting(db: Database, cursor: CursorRow): Promise<boolean> {
  const watched = await db
    .selectFrom('wallet_quotes')
    .select('id')
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('watched', '=', true)
    .limit(1)
    .executeTakeFirst();
  return watched !== undefined || (await pendingTransfers(db, cursor)).length > 0;
}

/** Checks transactions that pages reported and that no block has as a payment. */
async function checkReported({ db, settings }: Watching, node: Node, cursor: CursorRow): Promise<void> {
  const reported = await db
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('watched', '=', true)
    .where('state', '=', 'quoted')
    .where('told_hash', 'is not', null)
    .where((is) => is.or([is('problem', 'is', null), is('problem', '=', 'unknown')]))
    .execute();
  for (const quote of reported) {
    await extendLease(db, cursor, settings.leaseMs);
    const { token_address: token, address, amount } = quote;
    const found = await readerOf(cursor.secret_type).transactionState(node, quote.told_hash!, {
      token,
      address,
      amount: BigInt(amount),
    });
    await noteReport(db, cursor, quote, found, settings);
  }
}

function noteReport(
  db: Database,
  cursor: CursorRow,
  { id, session_id, told_hash, known_at }: QuoteRow,
  found: TransactionState,
  settings: WalletPaymentSettings,
): Promise<void> {
  let problem: string | null = null;
  if (found.state === 'unknown')
    problem = Date.now() - known_at!.getTime() > settings.unknownMs ? 'unknown' : null;
  else if (found.state === 'mined') {
    // Its block has been read, and would have made it a payment.
    if (Number(cursor.position) >= found.block) problem = found.sends ? 'amount' : 'other';
  } else if (found.state !== 'waiting') problem = found.state;
  return withSession(db, 'id', session_id, async (tx) => {
    const changed = await tx
      .updateTable('wallet_quotes')
      .set({ problem, ...(found.state !== 'unknown' && { known_at: new Date() }) })
      .where('id', '=', id)
      .where('state', '=', 'quoted')
      .where('told_hash', '=', told_hash)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return;
    if (problem === 'amount')
      // Shows the shop which session it was meant for.
      await tx
        .updateTable('wallet_transfers')
        .set({ quote_id: id, session_id })
        .where('network', '=', cursor.network)
        .where('transaction_hash', '=', told_hash)
        .where('state', '=', 'unassigned')
        .where('quote_id', 'is', null)
        .execute();
    await refreshSession(tx, session_id, settings);
  });
}

/** Expires quotes whose time was over when the chain was read. */
async function endQuotes({ db, settings }: Watching, cursor: CursorRow): Promise<void> {
  const { graceMs, lateMs } = settings;
  const before = (ms: number): Date => new Date(cursor.read_until.getTime() - ms);
  const over = await db
    .selectFrom('wallet_quotes')
    .select(['id', 'session_id'])
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('watched', '=', true)
    .where('state', '=', 'quoted')
    .where('expires_at', '<=', before(graceMs))
    .where((is) => is.or([is('told_hash', 'is', null), is('problem', 'is not', null)]))
    .execute();
  for (const { id, session_id } of over)
    await withSession(db, 'id', session_id, async (tx) => {
      await tx
        .updateTable('wallet_quotes')
        .set({ state: 'expired' })
        .where('id', '=', id)
        .where('state', '=', 'quoted')
        .where((is) => is.or([is('told_hash', 'is', null), is('problem', 'is not', null)]))
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
