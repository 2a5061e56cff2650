/** The service's database: any PostgreSQL by its URL, or one of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { runningCluster, startCluster } from './embedded/cluster.ts';
import { migrate } from './migrate.ts';
import { isDiskFull, notReplicated, outageOf } from './outage.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Whether the database has reported a full disk. */
export interface Storage {
  /** Set when a write fails because the disk is full. */
  full: boolean;
}

/** How many connections the pool has. */
export interface Connections {
  used: number;
  idle: number;
  /** Queries that wait for one. */
  awaited: number;
}

export interface OpenDatabase {
  db: Database;
  storage: Storage;
  connections(): Connections;
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
/**
 * PostgreSQL's wait for a second server on commit. Its notice means that the wait was cancelled, although the answer says that the
 * commit succeeded.
 */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

type Pooled = Pick<OpenDatabase, 'db' | 'storage' | 'connections'>;

function pooled(settings: DatabaseSettings, connection: pg.PoolConfig, log: DatabaseLog): Pooled {
  const storage: Storage = { full: false };
  const rethrow = (error: unknown): never => {
    if (isDiskFull(error)) storage.full = true;
    throw outageOf(error) ?? error;
  };
  const pool = new pg.Pool({
    ...connection,
    max: settings.databaseConnections,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    application_name: 'carabiner',
  });
  // The pool replaces the connection; without a listener Node would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn(`A database connection broke: ${error.message}`);
  });
  pool.on('connect', (client) => {
    // The same for a connection in use between two queries; its next query fails.
    client.on('error', () => {});
    let isAlone = false;
    client.on('notice', ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) isAlone = true;
    });
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const sure = (result: unknown): unknown => {
      if (!isAlone) return result;
      isAlone = false;
      throw notReplicated();
    };
    client.query = ((...args: unknown[]) => query(...args).then(sure, rethrow)) as typeof client.query;
  });
  const connect = () => pool.connect().catch(rethrow);
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
  });
  const connections = (): Connections => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    awaited: pool.waitingCount,
  });
  return { db, storage, connections };
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
      // A pooler reports in its own words that there is no primary just now.
      if (Date.now() > until || !outageOf(error))
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

async function opened(pool: Pooled, lost: Promise<Error>, stop: () => Promise<void>): Promise<OpenDatabase> {
  const { db } = pool;
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
  return { ...pool, lost, close };
}
