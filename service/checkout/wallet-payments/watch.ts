/**
 * Reads the chains while payments are waited for. Any number of processes may do so side by side: one lane is one process's at a time, and
 * what is written is right whoever writes it.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Node } from '../../../src/chains/chain.ts';
import type { Database } from '../../database/database.ts';
import type { LaneRow, QuoteRow, TransferRow } from '../../database/schema.ts';
import { ConnectError } from '../../../src/errors.ts';
import type { Service } from '../../service.ts';
import { withSession } from '../sessions/transitions.ts';
import { readerOf, type Told } from './chain-reader.ts';
import { claimLanes, closeLane, keepLane, leaveLane, LostLane, noteRead } from './lanes.ts';
import { refreshSession } from './quotes.ts';
import { readLane } from './read-lane.ts';
import { checkPending, pendingTransfers } from './settle.ts';
import type { WalletPaymentSettings } from './settings.ts';

/** Lanes of one process at a time. */
const AT_ONCE = 4;
const SWEEP_MS = 60_000;
/** While the database does not answer. */
const TROUBLE_MS = 10_000;

export interface Watching extends Pick<Service, 'db' | 'networks' | 'payments'> {
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  settings: WalletPaymentSettings;
  /** Counts what happens. */
  count(what: 'seen' | 'paid' | 'unassigned'): void;
}

export interface Watcher {
  /** Looks at once. */
  wake(): void;
  /** Finishes the block that is being read. */
  stop(): Promise<void>;
}

export function startWatching(watching: Watching): Watcher {
  const { db, log, settings } = watching;
  /** A chain whose nodes are slow keeps no other one waiting. */
  const visits = new Set<Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let ticking = Promise.resolve();
  let sweptAt = 0;

  async function tick(): Promise<void> {
    if (Date.now() - sweptAt > SWEEP_MS) {
      await freeAmounts(db, settings);
      sweptAt = Date.now();
    }
    const most = AT_ONCE - visits.size;
    const lanes = most > 0 ? await claimLanes(db, { leaseMs: settings.leaseMs, most }) : [];
    for (const lane of lanes) {
      const visiting = visit(watching, lane, () => stopped).finally(() => visits.delete(visiting));
      visits.add(visiting);
    }
  }

  function round(): void {
    clearTimeout(timer);
    timer = undefined;
    ticking = tick()
      .then(() => settings.tickMs)
      .catch((error: unknown) => {
        log.error({ err: error }, 'payments by wallet could not be looked for');
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

/** One round on a lane. Never throws: what fails is tried again, later each time. */
async function visit(watching: Watching, lane: LaneRow, isStopped: () => boolean): Promise<void> {
  const { db, log, settings } = watching;
  const about = { network: lane.network, token: lane.token_address || undefined };
  try {
    const { every, done } = await read(watching, lane, isStopped);
    if (done && !(await isWaiting(db, lane)) && (await closeLane(db, lane))) return;
    await leaveLane(db, lane, Date.now() + (done ? every : 0), 0);
  } catch (error) {
    if (error instanceof LostLane) return void log.warn(about, 'a chain took longer to read than its lease');
    const failures = lane.failures + 1;
    // Once for each time that it begins.
    if (failures === 1)
      log.warn({ err: error, ...about }, 'payments by wallet could not be looked for on a network');
    const wait = Math.min(settings.backoffMs, settings.everyMs * 2 ** Math.min(failures, 20));
    await leaveLane(db, lane, Date.now() + wait, failures).catch(() => {});
  }
}

async function read(
  watching: Watching,
  lane: LaneRow,
  isStopped: () => boolean,
): Promise<{ every: number; done: boolean }> {
  const { db, networks, settings, payments, log, count } = watching;
  const { node } = await networks.reach(lane.secret_type, lane.network);
  const local = node.network.kind === 'local';
  const every = local ? settings.everyLocalMs : settings.everyMs;
  const askedAt = Date.now();
  const noted = (message: string) => (transfer: TransferRow) => {
    const { id, session_id: session, network, transaction_hash: transaction, reason } = transfer;
    count(transfer.state === 'pending' ? 'seen' : transfer.state);
    log.info({ payment: id, session, network, transaction, ...(reason && { reason }) }, message);
  };
  const found = await readLane(
    { db, node, settings, isStopped, recorded: noted('a payment by wallet was seen') },
    lane,
  );
  if (!found) return { every, done: true };
  const { head } = found;
  const decided = noted('a payment by wallet was decided');
  for (const transfer of await pendingTransfers(db, lane)) {
    if (isStopped()) break;
    await keepLane(db, lane, settings.leaseMs);
    try {
      // Where the lane was read to the head, the block that it was seen in is still in the chain.
      const place = { lane, transfer, head: head.number, known: found.done };
      await checkPending({ db, payments, settings, decided }, node, place);
    } catch (error) {
      // What needs no provider goes on; the next one that does would wait as long.
      if (!(error instanceof ConnectError && error.code === 'checkout.provider.unreachable')) throw error;
      log.warn({ err: error, payment: transfer.id }, 'a payment by wallet waits for the provider');
      break;
    }
  }
  await lookAtTold(watching, node, lane);
  // Not where it is to be read again.
  const done = found.done && Number(lane.position) >= head.number;
  if (done) {
    // What is mined after the question is in a later block, as far as the node keeps up.
    const fresh = local || askedAt - head.time < settings.staleMs;
    await noteRead(db, lane, fresh ? askedAt : head.time);
    await endQuotes(watching, lane);
  }
  return { every, done };
}

/** Whether anything is left to look for. */
async function isWaiting(db: Database, lane: LaneRow): Promise<boolean> {
  const watched = await db
    .selectFrom('wallet_quotes')
    .select('id')
    .where('network', '=', lane.network)
    .where('token_address', '=', lane.token_address)
    .where('watched', '=', true)
    .limit(1)
    .executeTakeFirst();
  return watched !== undefined || (await pendingTransfers(db, lane)).length > 0;
}

/** What pages told, while no block has a payment for it. */
async function lookAtTold({ db, settings }: Watching, node: Node, lane: LaneRow): Promise<void> {
  const told = await db
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('network', '=', lane.network)
    .where('token_address', '=', lane.token_address)
    .where('watched', '=', true)
    .where('state', '=', 'quoted')
    .where('told_hash', 'is not', null)
    .where((is) => is.or([is('problem', 'is', null), is('problem', '=', 'unknown')]))
    .execute();
  for (const quote of told) {
    await keepLane(db, lane, settings.leaseMs);
    const { token_address: token, address, amount } = quote;
    const found = await readerOf(lane.secret_type).lookAt(node, quote.told_hash!, {
      token,
      address,
      amount: BigInt(amount),
    });
    await noteTold(db, lane, quote, found, settings);
  }
}

function noteTold(
  db: Database,
  lane: LaneRow,
  { id, session_id, told_hash, known_at }: QuoteRow,
  told: Told,
  settings: WalletPaymentSettings,
): Promise<void> {
  let problem: string | null = null;
  if (told.state === 'unknown')
    problem = Date.now() - known_at!.getTime() > settings.unknownMs ? 'unknown' : null;
  else if (told.state === 'mined') {
    // Its transfers are there once its block has been read, and would have made it a payment.
    if (Number(lane.position) >= told.block) problem = told.sends ? 'amount' : 'other';
  } else if (told.state !== 'waiting') problem = told.state;
  return withSession(db, 'id', session_id, async (tx) => {
    const changed = await tx
      .updateTable('wallet_quotes')
      .set({ problem, ...(told.state !== 'unknown' && { known_at: new Date() }) })
      .where('id', '=', id)
      .where('state', '=', 'quoted')
      .where('told_hash', '=', told_hash)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return;
    if (problem === 'amount')
      // The shop shall see for what it was meant.
      await tx
        .updateTable('wallet_transfers')
        .set({ quote_id: id, session_id })
        .where('network', '=', lane.network)
        .where('transaction_hash', '=', told_hash)
        .where('state', '=', 'unassigned')
        .where('quote_id', 'is', null)
        .execute();
    await refreshSession(tx, session_id, settings);
  });
}

/** Quotes whose time was over when the chain was read. */
async function endQuotes({ db, settings }: Watching, lane: LaneRow): Promise<void> {
  const { graceMs, lateMs } = settings;
  const before = (ms: number): Date => new Date(lane.read_until.getTime() - ms);
  const over = await db
    .selectFrom('wallet_quotes')
    .select(['id', 'session_id'])
    .where('network', '=', lane.network)
    .where('token_address', '=', lane.token_address)
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
    .where('network', '=', lane.network)
    .where('token_address', '=', lane.token_address)
    .where('watched', '=', true)
    .where('state', 'in', ['paid', 'expired'])
    .where('expires_at', '<=', before(Math.max(graceMs, lateMs)))
    .execute();
}

/** Amounts that nobody waits for any more may be another quote's. */
async function freeAmounts(db: Database, { reservedMs }: WalletPaymentSettings): Promise<void> {
  await db
    .updateTable('wallet_quotes')
    .set({ reserved: false })
    .where('reserved', '=', true)
    .where('watched', '=', false)
    .where('expires_at', '<', new Date(Date.now() - reservedMs))
    .execute();
}
