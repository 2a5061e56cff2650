/**
 * A PostgreSQL of the service's own in a folder, for one service at a time.
 *
 * The service that holds an advisory lock in it owns the folder. The lock ends with its holder, however that dies, so there is no
 * stale lock; a PostgreSQL that a killed service left running is found by its own lock file, stopped and started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Binaries, prepareBinaries } from './binaries.ts';
import {
  type DataFolder,
  initialise,
  isAlive,
  openFolder,
  type Postmaster,
  readPassword,
  runningPostmaster,
  USER,
} from './data-folder.ts';
import { connect } from './connect.ts';
import { systemUser } from './system-user.ts';

const DATABASE = 'carabiner';
/** Any number that nothing else uses; advisory locks are per database, and this one is held in `postgres`. */
const OWNER_LOCK = 7_265_001;
const START_MS = 60_000;

export interface Cluster {
  connection: pg.ClientConfig;
  /** Stops PostgreSQL after a checkpoint. */
  stop(): Promise<void>;
  /** Resolves when PostgreSQL ends by itself. */
  lost: Promise<Error>;
}

/** The folder belongs to a service that is running. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';
}

function connectionTo(
  folder: Pick<DataFolder, 'passwordFile'>,
  port: number,
  database: string,
): pg.ClientConfig {
  return { host: '127.0.0.1', port, user: USER, password: readPassword(folder), database };
}

/** How to reach the folder's PostgreSQL; undefined unless a service runs it. */
export async function runningCluster(path: string): Promise<pg.ClientConfig | undefined> {
  const folder = { data: `${path}/postgres`, passwordFile: `${path}/postgres-password` };
  const running = runningPostmaster(folder);
  if (!running) return undefined;
  const connection = connectionTo(folder, running.port, DATABASE);
  const client = await connect(connection);
  await client.end();
  return connection;
}

export async function startCluster(path: string, log: (line: string) => void): Promise<Cluster> {
  const user = await systemUser();
  const folder = await openFolder(path, user);
  const binaries = await prepareBinaries(path, user);
  await initialise(folder, binaries);
  await endOrphan(folder);
  const server = await launch(folder, binaries, log);
  try {
    const owner = await own(folder, server.port);
    await createDatabase(owner);
    return {
      connection: connectionTo(folder, server.port, DATABASE),
      lost: server.ended.then((reason) => new Error(`The built-in PostgreSQL ended: ${reason}`)),
      async stop() {
        await owner.end().catch(() => {});
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Removes a folder whose process was killed, and ends its PostgreSQL. Throws `FolderInUse` when the process is alive. */
export async function discardCluster(path: string): Promise<void> {
  const user = await systemUser();
  await endOrphan({ path, data: `${path}/postgres`, passwordFile: `${path}/postgres-password`, user });
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Owns the folder for as long as the connection lives. */
async function own(folder: DataFolder, port: number): Promise<pg.Client> {
  const client = await connect(connectionTo(folder, port, 'postgres'));
  if (await tryLock(client, 5000)) return client;
  await client.end();
  throw new FolderInUse(`Another service has just taken ${folder.path}.`);
}

async function tryLock(client: pg.Client, patienceMs: number): Promise<boolean> {
  for (const until = Date.now() + patienceMs; ; await sleep(100)) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      OWNER_LOCK,
    ]);
    if (rows[0]!.locked) return true;
    if (Date.now() > until) return false;
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (!rowCount) await client.query(`create database ${DATABASE}`);
}

/** Stops a PostgreSQL whose service was killed. Throws `FolderInUse` when the service is alive. */
async function endOrphan(folder: DataFolder): Promise<void> {
  const running = runningPostmaster(folder);
  if (!running) return;
  const client = await reach(folder, running);
  if (!client) return;
  // The connection of a service that was killed just now may still be open.
  const orphan = await tryLock(client, 1500);
  const { rows } = await client.query<{ name: string; young: boolean }>(
    `select (select application_name from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and objid = $1 and granted limit 1) as name,
     clock_timestamp() - pg_postmaster_start_time() < interval '2 s' as young`,
    [OWNER_LOCK],
  );
  await client.end();
  if (!orphan)
    throw new FolderInUse(
      `${folder.path} is used by another service (${rows[0]!.name.replace('service', 'process')}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  if (rows[0]!.young) {
    // Its service may be alive and about to take the lock.
    await sleep(2000);
    return endOrphan(folder);
  }
  process.kill(running.pid, 'SIGINT');
  for (const until = Date.now() + START_MS; isAlive(running.pid); await sleep(50))
    if (Date.now() > until)
      throw new Error(
        `An earlier PostgreSQL (process ${running.pid}) still runs on ${folder.path} and does not stop.`,
      );
}

/** Undefined when it ended while we tried. */
async function reach(folder: DataFolder, { pid, port }: Postmaster): Promise<pg.Client | undefined> {
  for (const until = Date.now() + START_MS; ; await sleep(100)) {
    try {
      return await connect(connectionTo(folder, port, 'postgres'));
    } catch (error) {
      if (!isAlive(pid)) return undefined;
      if (Date.now() > until)
        throw new Error(`A PostgreSQL (process ${pid}) runs on ${folder.path} and does not answer.`, {
          cause: error,
        });
    }
  }
}

interface Server {
  port: number;
  stop(): Promise<void>;
  /** Resolves with its last output when it ends without being asked to. */
  ended: Promise<string>;
}

/** Failures that pass: children of a killed PostgreSQL still hold its memory, or the port was taken in the meantime. */
const PASSES = /shared memory block|could not bind|Address already in use|could not create any TCP/;

async function launch(folder: DataFolder, binaries: Binaries, log: (line: string) => void): Promise<Server> {
  for (const until = Date.now() + START_MS; ; await sleep(200)) {
    const server = await tryLaunch(folder, binaries, log);
    if (typeof server !== 'string') return server;
    if (/lock file "postmaster.pid" already exists/.test(server))
      throw new FolderInUse(`Another service is just starting on ${folder.path}.`);
    if (!PASSES.test(server) || Date.now() > until)
      throw new Error(`The built-in PostgreSQL did not start on ${folder.path}:\n${server}`);
  }
}

/** Answers its last output when it does not start. */
async function tryLaunch(
  folder: DataFolder,
  { postgres }: Binaries,
  log: (line: string) => void,
): Promise<Server | string> {
  const port = await freePort();
  const child = spawn(postgres, ['-D', folder.data, '-p', String(port), ...FLAGS], {
    ...folder.user,
    cwd: folder.path,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl+C in a terminal is meant for the service, which stops PostgreSQL after its last request.
    detached: true,
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-4000);
    for (const line of text.trimEnd().split('\n')) log(line);
  });
  let stopping = false;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      words += error.message;
      resolve();
    });
  });
  const kill = (): void => void child.kill('SIGINT');
  process.once('exit', kill);
  const ended = new Promise<string>((resolve) => {
    void exit.then(() => {
      process.off('exit', kill);
      if (!stopping) resolve(words.trim().split('\n').at(-1) ?? '');
    });
  });
  if (!(await answers(child, connectionTo(folder, port, 'postgres')))) {
    stopping = true;
    kill();
    await exit;
    return words.trim();
  }
  return {
    port,
    ended,
    async stop() {
      stopping = true;
      kill();
      const late = setTimeout(() => child.kill('SIGQUIT'), START_MS);
      await exit;
      clearTimeout(late);
    },
  };
}

/** Only this machine may connect, over TCP: a socket file would survive a kill and block the next start. */
const FLAGS = Object.entries({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  // Rows that violate a constraint must not be logged.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

async function answers(child: ChildProcess, connection: pg.ClientConfig): Promise<boolean> {
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(30)) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false;
    try {
      await (await connect(connection)).end();
      return true;
    } catch {
      // It does not answer yet.
    }
  }
  return false;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
