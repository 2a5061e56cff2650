/**
 * `/health/live`: 200 while the process answers at all. `/health/ready` and `/health`: 200 while the database answers, accepts writes and
 * has room, and its clock goes with ours; else 503.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Limit } from '../../src/base/clock.ts';
import { type ClockWatch, isApart } from '../database/clock-watch.ts';
import type { Database } from '../database/database.ts';
import type { DiskSpace } from '../database/disk-space.ts';

const PATIENCE_MS = 2000;

interface Watched {
  db: Database;
  storage: DiskSpace;
  clock: ClockWatch;
}

type State = 'ok' | 'unavailable' | 'read-only' | 'full' | 'clock';

async function isFull({ db, storage }: Watched): Promise<boolean> {
  if (await storage.isLow()) return true;
  if (!storage.full) return false;
  // A new table needs a new file: a write to an existing one may fit into space that it still has.
  await db
    .transaction()
    .execute((tx) =>
      sql`create temporary table probe on commit drop as select generate_series(1, 20000)`.execute(tx),
    );
  storage.full = false;
  return false;
}

async function stateOf(watched: Watched): Promise<State> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as locked`.execute(
    watched.db,
  );
  if (rows[0]!.locked) return 'read-only';
  if (isApart(await watched.clock.check())) return 'clock';
  return (await isFull(watched)) ? 'full' : 'ok';
}

async function inTime(watched: Watched): Promise<State> {
  let timer: NodeJS.Timeout | number | undefined;
  const late = new Promise<State>((resolve) => {
    timer = setTimeout(() => resolve('unavailable'), PATIENCE_MS, 'limit' satisfies Limit);
  });
  const state = stateOf(watched).catch((): State => (watched.storage.full ? 'full' : 'unavailable'));
  return Promise.race([state, late]).finally(() => clearTimeout(timer));
}

/** A probe must not fail because its address has used up the limit. */
const UNLIMITED = { config: { rateLimit: false } } as const;

export function serveHealth(app: FastifyInstance, watched: Watched): void {
  for (const path of ['/health', '/health/ready'])
    app.get(path, UNLIMITED, async (_request, reply) => {
      const database = await inTime(watched);
      const isReady = database === 'ok';
      return reply
        .code(isReady ? 200 : 503)
        .header('Cache-Control', 'no-store')
        .send({ status: isReady ? 'ok' : 'unavailable', database });
    });
  app.get('/health/live', UNLIMITED, async (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'ok' }),
  );
}
