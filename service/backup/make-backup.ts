/**
 * Backs up the built-in PostgreSQL while the service uses it.
 *
 * Its package has neither pg_dump nor pg_basebackup, and a copy of a running PostgreSQL's files does not start. So all tables are read in one
 * transaction that sees a single moment, and only rows are kept: the migrations make the tables. Unlike a copy of files, that can be loaded
 * into a later PostgreSQL and on another processor. It is a back-up only once it was loaded into an empty PostgreSQL and every table compared.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { discardCluster, runningCluster, startCluster } from '../database/embedded/cluster.ts';
import { isAlive, requireData } from '../database/embedded/data-folder.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { syncName } from '../keys/write-once.ts';
import { writeBackup } from './backup-file.ts';
import { loadBackup } from './load.ts';
import { connectTo, keepAsTheyAre, listMigrations, listTables, masterVersions, rowsOf } from './tables.ts';

export interface Backup {
  path: string;
  bytes: number;
  rows: number;
  tables: number;
}

/** Of an unfinished file and an unfinished check, with the process that made it. */
const UNFINISHED = /\.part-(\d+)$/;
const CHECK = /^check-(\d+)$/;

/**
 * `target`: a new file, or a folder in which the file gets a name with the time. `log` is told what an earlier run left. The file appears
 * once it is whole and checked; only its owner may read it.
 */
export async function makeBackup(
  { dataFolder, keys }: { dataFolder: string; keys: KeyProvider },
  target: string,
  log: (line: string) => void,
): Promise<Backup> {
  requireData(dataFolder);
  const path = fileAt(target);
  await clearUp(dirname(path), dataFolder, log);
  const draft = `${path}.part-${process.pid}`;
  const check = join(dataFolder, `check-${process.pid}`);
  try {
    const tables = await writeDraft(draft, dataFolder, keys);
    const { cluster, rows } = await loadBackup(draft, keys, check);
    await cluster.stop();
    const { size } = await stat(draft);
    await rename(draft, path);
    await syncName(path);
    return { path, bytes: size, rows, tables };
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  } finally {
    rmSync(check, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the oldest back-ups of a folder, by their names, and returns theirs. */
export function keepNewest(folder: string, count: number): string[] {
  const all = readdirSync(folder).filter((name) => /^carabiner-[\dTZ-]+\.backup$/.test(name));
  const old = all.toSorted().slice(0, Math.max(0, all.length - count));
  for (const name of old) rmSync(join(folder, name));
  return old;
}

function fileAt(target: string): string {
  const path = resolve(target);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder) {
    const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
    return join(path, `carabiner-${time}.backup`);
  }
  if (existsSync(path)) throw new Error(`${path} exists already: name a new file, or a folder.`);
  if (existsSync(dirname(path))) return path;
  throw new Error(`There is no folder ${dirname(path)}.`);
}

/** What runs that were killed have left. */
async function clearUp(folder: string, dataFolder: string, log: (line: string) => void): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (!isLeft(UNFINISHED, name)) continue;
    rmSync(join(folder, name));
    log(`An earlier back-up was cut off: ${basename(name)} is removed.`);
  }
  for (const name of readdirSync(dataFolder)) {
    if (!isLeft(CHECK, name)) continue;
    await discardCluster(join(dataFolder, name));
    log(`The check of an earlier back-up was cut off: ${name} is removed.`);
  }
}

function isLeft(pattern: RegExp, name: string): boolean {
  const [, pid] = pattern.exec(name) ?? [];
  return pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)));
}

/** Returns how many tables it has. */
async function writeDraft(draft: string, dataFolder: string, keys: KeyProvider): Promise<number> {
  const running = await runningCluster(dataFolder);
  const own = running ? undefined : await startCluster(dataFolder, () => {});
  const client = await connectTo(running ?? own!.connection);
  // Before anything is in it.
  const handle = await open(draft, 'wx', 0o600);
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const tables = await listTables(client);
    await keepAsTheyAre(client, tables);
    const migrations = await listMigrations(client);
    const used = await masterVersions(client, tables);
    const versions = [...new Set([...used, await keys.current()])];
    const at = new Date().toISOString();
    await writeBackup(handle, keys, { at, migrations, tables, versions }, (table, take) =>
      rowsOf(client, table, take),
    );
    await handle.sync();
    return tables.length;
  } finally {
    await handle.close();
    await client.end();
    await own?.stop();
  }
}
