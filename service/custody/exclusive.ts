/** One signing at a time for each wallet, and one try at a time of each PIN, in all processes of the service. */
import { sql } from 'kysely';
import { ConnectError } from '../../src/errors.ts';
import type { Database } from '../database/database.ts';
import { Turns } from './turns.ts';

/** What is done one at a time. `lock`: any number that nothing else uses as the first half of an advisory lock. */
export interface Kind {
  lock: number;
  /** Of one wallet or PIN in this process; more are refused. */
  mostWaiting: number;
  /** What the caller is told when another process does not end its work in time. */
  busy: string;
}

const SIGNING: Kind = {
  lock: 7_265_003,
  mostWaiting: 100,
  busy: 'The wallet is signing something else that takes long. Try again.',
};
/** As many as may wait for the work of any PIN. */
export const PIN_TRIES: Kind = {
  lock: 7_265_006,
  mostWaiting: 500,
  busy: 'Another try of this PIN takes long. Try again.',
};
const WAIT_SECONDS = 30;

/** PostgreSQL's code for a lock that did not come in time. */
const LOCK_TIMEOUT = '55P03';

export type Exclusive = <T>(id: string, work: (db: Database) => Promise<T>) => Promise<T>;

/** Of a wallet; `connections` is the size of the pool, of which others keep half. See `exclusively`. */
export function exclusiveOn(db: Database, connections: number): Exclusive {
  return exclusively(db, SIGNING, new Turns(Math.max(1, Math.floor(connections / 2))));
}

/**
 * The lock is a connection's, and `work` is given this connection: when it breaks, what follows can write nothing any more, and the
 * database frees the lock. Of all ids together only as many hold a connection as `turns` lets. Throws `request.conflict` when another
 * process does not end its work in time, and `request.rate-limited` when too many wait.
 */
export function exclusively(db: Database, kind: Kind, turns: Turns): Exclusive {
  // Of one id only one waits with a connection.
  const queues = new Map<string, { turns: Turns; users: number }>();

  const queued = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(id) ?? { turns: new Turns(1, kind.mostWaiting), users: 0 };
    queues.set(id, queue);
    queue.users++;
    try {
      return await queue.turns.run(work);
    } finally {
      if (--queue.users === 0) queues.delete(id);
    }
  };

  return (id, work) =>
    queued(id, () =>
      turns.run(() =>
        db.connection().execute(async (connection) => {
          await lock(connection, kind, id);
          try {
            return await work(connection);
          } finally {
            // On a broken connection there is no lock left to give back.
            await sql`select pg_advisory_unlock(${kind.lock}, hashtext(${id}))`
              .execute(connection)
              .catch(() => {});
          }
        }),
      ),
    );
}

async function lock(connection: Database, kind: Kind, id: string): Promise<void> {
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
