/** The data folder of the embedded PostgreSQL: its permissions, password, initialisation, and the process that runs on it. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnce } from '../../keys/write-once.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { Binaries } from './binaries.ts';
import { closedFolder, type SystemUser } from './system-user.ts';

/** Folder in the data folder in which a database is made from a back-up. */
export const RESTORING = 'restoring';

/** PostgreSQL's superuser in the cluster. */
export const USER = 'carabiner';

export interface DataFolder {
  path: string;
  /** The folder that PostgreSQL calls PGDATA. */
  data: string;
  passwordFile: string;
  user: SystemUser;
}

/** Whatever the system says of the folder says which setting it is. */
async function openable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`DATA_DIR ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** Makes the folder, which only we and the user that PostgreSQL runs as may read. */
export async function openFolder(path: string, user: SystemUser): Promise<DataFolder> {
  await openable(path, async () => {
    if (existsSync(path)) return;
    makeFolder(path);
    chmodSync(path, user.uid === undefined ? 0o700 : 0o711);
  });
  const folder = { path, data: join(path, 'postgres'), passwordFile: join(path, 'postgres-password'), user };
  const closed = closedFolder(folder.data, user);
  if (closed)
    throw new Error(
      `${closed} is closed to the system's user postgres, which PostgreSQL runs as when the service is started as root. ` +
        'Set DATA_DIR to another folder, or start the service as another user.',
    );
  await openable(path, async () => {
    await writeOnce(folder.passwordFile, `${randomBytes(24).toString('base64url')}\n`);
    own(folder.passwordFile, user);
  });
  return folder;
}

function own(path: string, { uid, gid }: SystemUser): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

export function readPassword({ passwordFile }: Pick<DataFolder, 'passwordFile'>): string {
  return readFileSync(passwordFile, 'utf8').trim();
}

/** Throws if the folder has no database yet. */
export function requireData(path: string): void {
  if (!existsSync(join(path, 'postgres/PG_VERSION')))
    throw new Error(`${path} has no database. DATA_DIR must be that of the service.`);
}

/** Runs initdb when there is no data yet. It is atomic: a crash leaves nothing that a later start would take for data. */
export async function initialise(folder: DataFolder, { initdb }: Binaries): Promise<void> {
  if (existsSync(join(folder.data, 'PG_VERSION'))) return;
  // An empty database must not take the place of the one that was about to come back.
  if (existsSync(join(folder.path, RESTORING)))
    throw new Error(
      `A restore into ${folder.path} was cut off, or is under way. Run it again: npm run service:restore -- <file>`,
    );
  const fresh = `${folder.data}.new-${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  own(fresh, folder.user);
  const args = [
    `--pgdata=${fresh}`,
    `--username=${USER}`,
    `--pwfile=${folder.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
  ];
  const { code, output } = await run(initdb, args, folder);
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not make a database in ${folder.path}:\n${output.trim()}`);
  }
  try {
    renameSync(fresh, folder.data);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another start was faster. One of us is then refused, like any second service.
    if (!existsSync(join(folder.data, 'PG_VERSION'))) throw error;
  }
}

function run(
  program: string,
  args: string[],
  { path, user }: DataFolder,
): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { ...user, cwd: path, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((done, reject) => {
    child.once('error', reject);
    child.once('close', (code) => done({ code: code ?? 1, output }));
  });
}

export interface Postmaster {
  pid: number;
  port: number;
}

/** The postmaster running on the folder, from its lock file (pid on the first line, port on the fourth). */
export function runningPostmaster({ data }: Pick<DataFolder, 'data'>): Postmaster | undefined {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return undefined;
  const lines = readFileSync(lock, 'utf8').split('\n');
  const pid = Math.abs(Number(lines[0]));
  const port = Number(lines[3]);
  if (!pid || !isAlive(pid)) return undefined;
  if (commandOf(pid)?.includes(data) === false) {
    // After a crash another process may have got the pid, which would keep PostgreSQL from ever starting.
    rmSync(lock, { force: true });
    return undefined;
  }
  return { pid, port };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Undefined when the system does not say. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return undefined;
  }
}
