/** One signing at a time for each wallet, in all processes of the service. */
import { sql } from 'kysely';
import { ConnectError } from '../../src/errors.ts';
import type { Database } from '../database/database.ts';
import { Turns } from './turns.ts';

/** Any number that nothing else uses as the first half of an advisory lock. */
const SIGNING_LOCK = 7_265_003;
const WAIT_SECONDS = 30;
const MOST_WAITING = 100;

/** PostgreSQL's code for a lock that did not come in time. */
const LOCK_TIMEOUT = '55P03';

export type Exclusive = <T>(walletId: string, work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * The lock is a connection's, and `work` is given this connection: when it breaks, what follows can write nothing any more, and the
 * database frees the lock. `connections` is the size of the pool, of which others keep half. Throws `request.conflict` when another
 * process does not end its work in time, and `request.rate-limited` when too many wait.
 */
export function exclusiveOn(db: Database, connections: number): Exclusive {
  const turns = new Turns(Math.max(1, Math.floor(connections / 2)));
  // Of one wallet only one waits with a connection.
  const queues = new Map<string, { turns: Turns; users: number }>();

  const queued = async <T>(walletId: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(walletId) ?? { turns: new Turns(1, MOST_WAITING), users: 0 };
    queues.set(walletId, queue);
    queue.users++;
    try {
      return await queue.turns.run(work);
    } finally {
      if (--queue.users === 0) queues.delete(walletId);
    }
  };

  return (walletId, work) =>
    queued(walletId, () =>
      turns.run(() =>
        db.connection().execute(async (connection) => {
          await lock(connection, walletId);
          try {
            return await work(connection);
          } finally {
            // On a broken connection there is no lock left to give back.
            await sql`select pg_advisory_unlock(${SIGNING_LOCK}, hashtext(${walletId}))`
              .execute(connection)
              .catch(() => {});
          }
        }),
      ),
    );
}

async function lock(connection: Database, walletId: string): Promise<void> {
  try {
    // The lock outlives the transaction, which is only there for the time limit.
    await connection.transaction().execute(async (tx) => {
      await sql`select set_config('lock_timeout', ${`${WAIT_SECONDS}s`}, true)`.execute(tx);
      await sql`select pg_advisory_lock(${SIGNING_LOCK}, hashtext(${walletId}))`.execute(tx);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_TIMEOUT) throw error;
    throw new ConnectError(
      'request.conflict',
      'The wallet is signing something else that takes long. Try again.',
      { retryAfter: 5 },
    );
  }
}
