/**
 * Exchanges between chains that transactions begin. They are written down in the database transaction that stores the signed bytes, and followed
 * from then on by whichever process has time, until they end and, if they came back, the reason is known or not to be had.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Draft } from '../../src/chains/terms.ts';
import { thorchainsOf } from '../../src/swaps/cross-chain/entry.ts';
import {
  begunSwap,
  FIRST_PAUSE,
  hasEnded,
  isOpen,
  pauseAfter,
  readStoredSwap,
  type StoredSwap,
  SwapFollower,
} from '../../src/swaps/cross-chain/sent-swap.ts';
import { readOrder } from '../../src/swaps/cross-chain/thorchain/terms.ts';
import { Repeated } from '../concurrency/repeated.ts';
import { acrossAccounts, inAccount } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import type { TransactionRow } from '../database/schema.ts';
import type { Service } from '../service.ts';
import { subjectOf } from '../wallets/stored-wallets.ts';
import { entryAnswer, sentIn } from './history-entry.ts';

/** The times of following swaps. */
export interface SwapSettings {
  /** The pause between checks for swaps that are due. */
  everyMs: number;
  /** Until a swap is looked at for the second time: later pauses are longer. */
  firstMs: number;
}

const DEFAULTS: SwapSettings = { everyMs: 2000, firstMs: FIRST_PAUSE };

const BATCH = 20;
/** For a look, before another process takes over. */
const LEASE_SECONDS = 60;

/** Undefined for a transaction that begins none, and on a node that a request named. */
export function swapBegunBy(
  draft: Draft,
  { address }: { address: string },
  { file }: Pick<Service['networks'], 'file'>,
): StoredSwap | undefined {
  if (!file.crossChain?.length || !file.networks.some(({ id }) => id === draft.network.id)) return undefined;
  const order = readOrder(draft, thorchainsOf(file));
  return order && begunSwap(order, address, file);
}

function inMilliseconds(pause: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${pause / 1000})`;
}

interface DueSwap {
  transaction_id: string;
  owner_id: string;
  wallet_id: string;
  hash: string;
  state: TransactionRow['state'];
  swap: string;
  looks: number;
}

type Following = Pick<Service, 'db' | 'networks' | 'events'> & { settings: SwapSettings };

/** Follows the swaps of all processes until it is stopped. */
export function followSwaps(
  { db, networks, events, swaps }: Pick<Service, 'db' | 'networks' | 'events' | 'swaps'>,
  log: FastifyBaseLogger,
): Repeated {
  const service: Following = { db, networks, events, settings: { ...DEFAULTS, ...swaps } };

  async function one(due: DueSwap): Promise<void> {
    try {
      await lookAt(service, due);
    } catch (error) {
      log.warn({ err: error, transaction: due.hash }, 'a swap could not be followed');
      await lookLater(service, due).catch(() => {});
    }
  }

  async function round(isStopped: () => boolean): Promise<void> {
    const due = await acrossAccounts('due-swaps', () => takeDueSwaps(db));
    await Promise.all(
      due.map((swap) => (isStopped() ? undefined : inAccount(swap.owner_id, () => one(swap)))),
    );
  }

  return new Repeated(
    (isStopped) =>
      round(isStopped).catch((error: unknown) => log.error({ err: error }, 'swaps could not be followed')),
    service.settings.everyMs,
  );
}

/** No other process gets them within the next minute. */
async function takeDueSwaps(db: Database): Promise<DueSwap[]> {
  const { rows } = await sql<DueSwap>`
    update cross_chain_swaps x
    set next_look_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    from transactions t
    where t.id = x.transaction_id and x.transaction_id in (
      select transaction_id from cross_chain_swaps where next_look_at <= clock_timestamp()
      order by next_look_at limit ${BATCH} for update skip locked)
    returning x.transaction_id, x.owner_id, t.wallet_id, t.hash, t.state, x.swap, x.looks`.execute(db);
  return rows;
}

async function lookAt(service: Following, due: DueSwap): Promise<void> {
  const swap = readStoredSwap(JSON.parse(due.swap));
  // Its coins never left, or a newer version of the service wrote it.
  if (!swap || ['refused', 'replaced', 'expired', 'failed'].includes(due.state)) return stop(service.db, due);
  const { networks } = service;
  // As `networks.json` is now: it may change while swaps are followed.
  const now = await new SwapFollower(networks.file, networks).look(due.hash, swap);
  if (!now) return lookLater(service, due);
  await keep(service, due, now, !hasEnded(swap) && hasEnded(now));
}

async function stop(db: Database, { transaction_id }: DueSwap): Promise<void> {
  await db
    .updateTable('cross_chain_swaps')
    .set({ next_look_at: null })
    .where('transaction_id', '=', transaction_id)
    .execute();
}

async function lookLater({ db, settings }: Following, due: DueSwap): Promise<void> {
  const { transaction_id, swap: text } = due;
  const looks = due.looks + 1;
  const swap = readStoredSwap(JSON.parse(text));
  if (swap && !isOpen(swap, looks)) return stop(db, due);
  await db
    .updateTable('cross_chain_swaps')
    .set({ looks, next_look_at: inMilliseconds(pauseAfter(looks, settings.firstMs)) })
    .where('transaction_id', '=', transaction_id)
    .where('next_look_at', 'is not', null)
    .execute();
}

/** Of two processes that look at once, one reports the end: only a swap that is as it was when it was looked at changes. */
async function keep(
  { db, networks, events, settings }: Following,
  { transaction_id, wallet_id, swap: before, looks }: DueSwap,
  swap: StoredSwap,
  endsNow: boolean,
): Promise<void> {
  const after = JSON.stringify(swap);
  const count = after === before ? looks + 1 : 1;
  await events.with(db, async (tx, notify) => {
    const { numUpdatedRows } = await tx
      .updateTable('cross_chain_swaps')
      .set({
        swap: after,
        looks: count,
        next_look_at: isOpen(swap, count) ? inMilliseconds(pauseAfter(count, settings.firstMs)) : null,
      })
      .where('transaction_id', '=', transaction_id)
      .where('next_look_at', 'is not', null)
      .where('swap', '=', before)
      .executeTakeFirstOrThrow();
    if (!endsNow || numUpdatedRows === 0n) return;
    await notify(wallet_id, 'transaction.swap-settled', async () => {
      const row = await sentIn(tx).where('t.id', '=', transaction_id).executeTakeFirstOrThrow();
      return {
        wallet: await subjectOf(tx, wallet_id),
        transaction: entryAnswer(row, networks.file.networks),
      };
    });
  });
}
