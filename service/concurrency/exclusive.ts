/** Work that is done one piece at a time for each wallet, and for each PIN, across all processes of the service. */
import { sql } from 'kysely';
import { ConnectError } from '../../src/errors.ts';
import type { Database } from '../database/database.ts';
import { Semaphore } from './semaphore.ts';

/** A kind of work that excludes itself. */
export interface ExclusiveWork {
  /** The first half of its advisory locks; nothing else may use the number. */
  lock: number;
  /** Limit for one wallet or PIN in this process; more are refused. */
  maxWaiting: number;
  /** Message to the caller when another process does not finish in time. */
  busy: string;
}

const SIGNING: ExclusiveWork = {
  lock: 7_265_003,
  maxWaiting: 100,
  busy: 'The wallet is signing something else that takes long. Try again.',
};
/** `maxWaiting`: as many as may wait for the hashing of all PINs together. */
export const PIN_TRIES: ExclusiveWork = {
  lock: 7_265_006,
  maxWaiting: 500,
  busy: 'Another try of this PIN takes long. Try again.',
};
const WAIT_SECONDS = 30;

/** PostgreSQL's code for a lock that was not granted in time. */
const LOCK_TIMEOUT = '55P03';

export type Exclusive = <T>(id: string, work: (db: Database) => Promise<T>) => Promise<T>;

/** One signing at a time for each wallet. `connections`: the size of the pool, half of which is left to other work. */
export function exclusiveOn(db: Database, connections: number): Exclusive {
  return exclusively(db, SIGNING, new Semaphore(Math.max(1, Math.floor(connections / 2))));
}

/**
 * The lock belongs to a database connection, which `work` is given: when the connection breaks, `work` can write nothing more, and the
 * database frees the lock. `semaphore` limits the connections that are held at a time for all ids together. Throws `request.conflict` when
 * another process does not finish in time, and `request.rate-limited` when too many wait.
 */
export function exclusively(db: Database, kind: ExclusiveWork, semaphore: Semaphore): Exclusive {
  // Only one piece of work for each id waits with a connection in hand.
  const queues = new Map<string, { semaphore: Semaphore; users: number }>();

  const queued = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(id) ?? { semaphore: new Semaphore(1, kind.maxWaiting), users: 0 };
    queues.set(id, queue);
    queue.users++;
    try {
      return await queue.semaphore.run(work);
    } finally {
      if (--queue.users === 0) queues.delete(id);
    }
  };

  return (id, work) =>
    queued(id, () =>
      semaphore.run(() =>
        db.connection().execute(async (connection) => {
          await lock(connection, kind, id);
          try {
            return await work(connection);
          } finally {
            // A broken connection has no lock left to release.
            await sql`select pg_advisory_unlock(${kind.lock}, hashtext(${id}))`
              .execute(connection)
              .catch(() => {});
          }
        }),
      ),
    );
}

async function lock(connection: Database, kind: ExclusiveWork, id: string): Promise<void> {
  try {
    // The lock outlives the transaction, which is only there for the time limit.
    await connection.transaction().execute(async (tx) => {
      await sql`select set_config('lock_timeout', ${`${WAIT_SECONDS}s`}, true)`.execute(tx);
      await sql`select pg_advisory_lock(${kind.lock}, hashtext(${id}))`.execute(tx);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_TIMEOUT) throw error;
    throw new ConnectError('request.conflict', kind.busy, { retryAfter: 5 });
  }
}
