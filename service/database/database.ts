/** The service's database: any PostgreSQL by its URL, or one of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { ConnectError } from '../../src/errors.ts';
import { runningCluster, startCluster } from './embedded/cluster.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface OpenDatabase {
  db: Database;
  /** Resolves when the built-in PostgreSQL ends by itself. */
  lost: Promise<Error>;
  close(): Promise<void>;
}

export interface DatabaseLog {
  debug(line: string): void;
  warn(line: string): void;
}

export interface DatabaseSettings {
  /** Absent: a PostgreSQL of the service's own in `dataFolder`. */
  databaseUrl: string | undefined;
  databaseConnections: number;
  dataFolder: string;
}

const NEVER = new Promise<Error>(() => {});
const REACH_MS = 20_000;

function pooled(settings: DatabaseSettings, connection: pg.PoolConfig, log: DatabaseLog): Database {
  const pool = new pg.Pool({
    ...connection,
    max: settings.databaseConnections,
    connectionTimeoutMillis: 5000,
    application_name: 'carabiner',
  });
  // The pool replaces the connection; without a listener Node would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn(`A database connection broke: ${error.message}`);
  });
  // The same for a connection in use between two queries; its next query fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const connect = () =>
    pool.connect().catch((error: Error) => {
      throw error.message === POOL_TIMEOUT ? busy(error) : error;
    });
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }) });
}

/** `pg-pool` tells this only by its message: no connection became free in time. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** The caller does not know what the request did before. */
function busy(cause: Error): ConnectError {
  return new ConnectError(
    'service.unreachable',
    'The service has too much to do. Try again in 1 s, with the same Idempotency-Key if you sent one.',
    { retryAfter: 1 },
    { cause },
  );
}

/** A database that starts at the same time as the service may take a little longer. */
async function reach(settings: DatabaseSettings, log: DatabaseLog): Promise<void> {
  for (const until = Date.now() + REACH_MS; ; await sleep(500)) {
    const client = new pg.Client({ connectionString: settings.databaseUrl!, connectionTimeoutMillis: 5000 });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      if (Date.now() > until || !/^(ECONN|ENOTFOUND|EAI_AGAIN|57P03)/.test(code ?? ''))
        throw new Error(`DATABASE_URL: the database cannot be reached: ${message || code}`);
      log.warn(`Waiting for the database: ${message || code}`);
    }
  }
}

/** Starts or connects to the database and migrates it to this version. */
export async function openDatabase(settings: DatabaseSettings, log: DatabaseLog): Promise<OpenDatabase> {
  if (settings.databaseUrl) {
    await reach(settings, log);
    return opened(pooled(settings, { connectionString: settings.databaseUrl }, log), NEVER, async () => {});
  }
  const cluster = await startCluster(settings.dataFolder, (line) => log.debug(line));
  return opened(pooled(settings, cluster.connection, log), cluster.lost, () => cluster.stop());
}

/** The same for a command beside the service: it joins the PostgreSQL that the service runs. */
export async function joinDatabase(settings: DatabaseSettings, log: DatabaseLog): Promise<OpenDatabase> {
  const running = settings.databaseUrl ? undefined : await runningCluster(settings.dataFolder);
  if (!running) return openDatabase(settings, log);
  return opened(pooled(settings, running, log), NEVER, async () => {});
}

async function opened(db: Database, lost: Promise<Error>, stop: () => Promise<void>): Promise<OpenDatabase> {
  const close = async (): Promise<void> => {
    await db.destroy();
    await stop();
  };
  try {
    await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, lost, close };
}
