/** Work that is done one piece at a time for each wallet, across all processes of the service. */
import { sql } from 'kysely';
import { ConnectError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import { isLockTimeout } from '../database/outage.ts';
import { Queues } from './queues.ts';
import { Semaphore } from './semaphore.ts';

/** The first half of its advisory locks. Nothing else may use this number. */
const SIGNING_LOCK = 7_265_003;
/** Limit for one wallet in this process; more are refused. */
const MAX_WAITING = 100;
const WAIT_SECONDS = 30;

export type Exclusive = <T>(id: string, work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * One signing at a time for each wallet. `connections`: the size of the pool, half of which is left for other work. `waitSeconds`: how long
 * to wait for another process.
 *
 * The lock belongs to a database connection, which `work` is given: when the connection breaks, `work` can write nothing more, and the
 * database frees the lock. Throws `request.conflict` when another process does not finish in time, and `request.rate-limited` when too many
 * wait.
 */
export function exclusiveOn(db: Database, connections: number, waitSeconds = WAIT_SECONDS): Exclusive {
  const semaphore = new Semaphore(Math.max(1, Math.floor(connections / 2)));
  // Only one piece of work for each id waits with a connection in hand.
  const queues = new Queues(MAX_WAITING);
  return (id, work) =>
    queues.run(id, () =>
      semaphore.run(() =>
        db.connection().execute(async (connection) => {
          await lock(connection, id, waitSeconds);
          try {
            return await work(connection);
          } finally {
            // A broken connection has no lock left to release.
            await sql`select pg_advisory_unlock(${SIGNING_LOCK}, hashtext(${id}))`
              .execute(connection)
              .catch(() => {});
          }
        }),
      ),
    );
}

async function lock(connection: Database, id: string, seconds: number): Promise<void> {
  try {
    // One statement, and so one round trip: the time limit ends with the statement, and the lock outlives it. The limit is set first,
    // because the lock is taken for each row of its result.
    await sql`with waiting as materialized (select set_config('lock_timeout', ${`${seconds}s`}, true))
      select pg_advisory_lock(${SIGNING_LOCK}, hashtext(${id})) from waiting`.execute(connection);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new ConnectError('request.conflict', 'The wallet is busy signing something else. Try again.', {
      retryAfter: 5,
    });
  }
}
