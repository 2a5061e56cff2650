/** The service's database: any PostgreSQL by its URL, or one of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { runningCluster, startCluster } from './embedded/cluster.ts';
import { migrate } from './migrate.ts';
import { DiskSpace } from './disk-space.ts';
import { isDiskFull, isRefused, noRoom, notConnected, notReplicated, outageOf } from './outage.ts';
import { statementNames } from './prepared.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** How many connections the pool has. */
export interface Connections {
  used: number;
  idle: number;
  /** Queries that wait for one. */
  awaited: number;
}

export interface OpenDatabase {
  db: Database;
  storage: DiskSpace;
  connections(): Connections;
  /** From now on queries time out, and nothing new is stored on a disk that is nearly full. */
  limit(): void;
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

export interface OpenOptions {
  /** Free bytes of the built-in PostgreSQL's disk below which nothing new is stored. */
  freeBytes?: number | undefined;
  /** Time limit of a query. */
  queryMs?: number | undefined;
  /** Time limit for a connection: a new one, or one of the pool that is in use. */
  connectMs?: number | undefined;
}

const NEVER = new Promise<Error>(() => {});
const REACH_MS = 20_000;
/**
 * PostgreSQL's wait for a second server on commit. Its notice means that the wait was cancelled, although the answer says that the
 * commit succeeded.
 */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

/** Longer than anything waits for a lock. A server that has not answered by then may be gone, with its end of the connection still open. */
const QUERY_MS = 40_000;
/** Idle time of a connection before its first TCP keepalive. */
const KEEP_ALIVE_MS = 10_000;
const CONNECT_MS = 5000;
/** So that the server soon drops what it holds for a process that is gone. Settings that an older version does not know are left out. */
const SESSION = {
  idle_in_transaction_session_timeout: '60s',
  client_connection_check_interval: '10s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};
const SET_SESSION = `select set_config(name, given.value, false) from pg_settings
  join (values ${Object.entries(SESSION)
    .map(([name, value]) => `('${name}', '${value}')`)
    .join(', ')}) as given (name, value) using (name)`;

type Pooled = Pick<OpenDatabase, 'db' | 'storage' | 'connections' | 'limit'>;

/** What all connections of a pool have in common. */
interface PoolState {
  storage: DiskSpace;
  /** Name under which a text is prepared. */
  nameOf: (text: string) => string | undefined;
  queryMs: number;
  /** Queries time out, and nothing new is stored on a disk that is nearly full. */
  isLimited: boolean;
}

/** Makes the queries of a pool's connection: prepared, in time, and on every server that must have them, or with an error of ours. */
class ConnectionQueries {
  readonly #client: pg.PoolClient;
  readonly #pool: PoolState;
  readonly #send: (...args: unknown[]) => Promise<unknown>;
  /** The last commit did not wait for a second server. */
  #isAlone = false;

  constructor(client: pg.PoolClient, pool: PoolState) {
    this.#client = client;
    this.#pool = pool;
    this.#send = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    client.on('notice', ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.#isAlone = true;
    });
    client.query = ((...args: unknown[]) => this.#run(args)) as typeof client.query;
  }

  /** Without a limit of time. */
  query(...args: unknown[]): Promise<unknown> {
    const [text, values] = args as [string, unknown[] | undefined];
    // Without values it is `begin` or the like, or several statements in one text, which cannot be prepared.
    const name = values?.length ? this.#pool.nameOf(text) : undefined;
    return name === undefined ? this.#send(...args) : this.#send({ name, text, values });
  }

  #run(args: unknown[]): Promise<unknown> {
    return this.#inTime(args).then(
      (result) => this.#sure(result),
      (error: unknown) => {
        if (isDiskFull(error)) this.#pool.storage.full = true;
        throw outageOf(error) ?? error;
      },
    );
  }

  async #inTime(args: unknown[]): Promise<unknown> {
    const { isLimited, storage, queryMs } = this.#pool;
    if (!isLimited) return this.query(...args);
    if (args[0] === 'begin' && (await storage.isLow())) throw noRoom();
    // With a query in progress this destroys the connection, on which no other query must wait.
    const late = setTimeout(() => void this.#client.end(), queryMs);
    return this.query(...args).finally(() => clearTimeout(late));
  }

  #sure(result: unknown): unknown {
    if (!this.#isAlone) return result;
    this.#isAlone = false;
    throw notReplicated();
  }
}

function pooled(
  settings: DatabaseSettings,
  connection: pg.PoolConfig,
  log: DatabaseLog,
  {
    queryMs = QUERY_MS,
    connectMs = CONNECT_MS,
    storage = new DiskSpace(undefined),
  }: Pick<OpenOptions, 'queryMs' | 'connectMs'> & { storage?: DiskSpace } = {},
): Pooled {
  const state: PoolState = { storage, nameOf: statementNames(), queryMs, isLimited: false };
  const pool = new pg.Pool({
    ...connection,
    max: settings.databaseConnections,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'carabiner',
  });
  // The pool replaces the connection; without a listener Node would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn(`A database connection broke: ${error.message}`);
  });
  pool.on('connect', (client) => {
    // The same for a connection in use between two queries; its next query fails.
    client.on('error', () => {});
    new ConnectionQueries(client, state)
      .query(SET_SESSION)
      .catch((error: Error) => log.warn(`A database connection keeps its default limits: ${error.message}`));
  });
  const connect = () =>
    pool.connect().catch((error: unknown) => {
      throw outageOf(error) ?? notConnected(error);
    });
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
  });
  const connections = (): Connections => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    awaited: pool.waitingCount,
  });
  return { db, storage, connections, limit: () => void (state.isLimited = true) };
}

/** A database that starts at the same time as the service may take a little longer. */
async function reach(
  settings: DatabaseSettings,
  log: DatabaseLog,
  { connectMs = CONNECT_MS }: OpenOptions,
): Promise<void> {
  for (const until = Date.now() + REACH_MS; ; await sleep(500)) {
    const client = new pg.Client({
      connectionString: settings.databaseUrl!,
      connectionTimeoutMillis: connectMs,
    });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      // A pooler reports in its own words that there is no primary just now.
      if (Date.now() > until || !outageOf(error) || isRefused(error))
        throw new Error(`DATABASE_URL: the database cannot be reached: ${message || code}`);
      log.warn(`Waiting for the database: ${message || code}`);
    }
  }
}

/** Starts or connects to the database and migrates it to this version. */
export async function openDatabase(
  settings: DatabaseSettings,
  log: DatabaseLog,
  { freeBytes, ...limits }: OpenOptions = {},
): Promise<OpenDatabase> {
  if (settings.databaseUrl) {
    await reach(settings, log, limits);
    const connection = { connectionString: settings.databaseUrl };
    return opened(pooled(settings, connection, log, limits), NEVER, async () => {});
  }
  const cluster = await startCluster(settings.dataFolder, (line) => log.debug(line));
  const storage = new DiskSpace(settings.dataFolder, freeBytes);
  return opened(pooled(settings, cluster.connection, log, { ...limits, storage }), cluster.lost, () =>
    cluster.stop(),
  );
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
