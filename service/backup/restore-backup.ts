/**
 * Restores a back-up into an empty data folder. The database is made in a folder of its own and moved into place when it is whole, so a
 * restore that is cut off leaves nothing that the service would start on.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { audit } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import { discardCluster } from '../database/embedded/cluster.ts';
import { RESTORING } from '../database/embedded/data-folder.ts';
import { migrate } from '../database/migrate.ts';
import type { Schema } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { syncName } from '../keys/write-once.ts';
import { loadBackup } from './load.ts';

export interface Restored {
  rows: number;
  /** As of when the back-up is; ISO 8601. */
  at: string;
}

/** PostgreSQL's programs, which the service copies where its user cannot reach them. */
const PROGRAMS = /^postgresql-[\d.]+/;

/** `log` is told what an earlier restore left. Throws `NotABackup` for a file that does not fit, and says why the folder does not. */
export async function restoreBackup(
  path: string,
  { dataFolder, masterKeyFile, keys }: { dataFolder: string; masterKeyFile: string; keys: KeyProvider },
  log: (line: string) => void,
): Promise<Restored> {
  await requireEmpty(dataFolder, masterKeyFile, log);
  const folder = join(dataFolder, RESTORING);
  // Before the first byte, so that no service starts here meanwhile.
  for (const path of [dataFolder, folder]) openFor(path);
  try {
    const { header, rows, cluster } = await loadBackup(path, keys, folder);
    const db = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ ...cluster.connection, max: 2 }) }),
    });
    try {
      await migrate(db);
      await markRestored(db, keys, new Date(header.at));
    } finally {
      await db.destroy();
      await cluster.stop();
    }
    await moveInto(dataFolder, folder);
    return { rows, at: header.at };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/**
 * From now on nothing is signed or sent until the operator has accepted what the chains have. Spending sessions end: what they spent since
 * the back-up is not known.
 */
export async function markRestored(db: Database, keys: KeyProvider, backupAt: Date): Promise<void> {
  const id = `restored-${randomBytes(6).toString('hex')}-`;
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('wallet_session_limits').execute();
    await tx.deleteFrom('wallet_sessions').execute();
    await tx.insertInto('restores').values({ id, backup_at: backupAt }).execute();
    await audit(tx, keys, {
      actor: 'command',
      action: 'database.restored',
      subject: `restore:${id}`,
      details: { backupAt: backupAt.toISOString() },
    });
  });
}

async function requireEmpty(
  dataFolder: string,
  masterKeyFile: string,
  log: (line: string) => void,
): Promise<void> {
  if (!existsSync(dataFolder)) return;
  const folder = join(dataFolder, RESTORING);
  if (existsSync(folder)) {
    await discardCluster(folder);
    log(`An earlier restore into ${dataFolder} was cut off: it begins again.`);
    // It is in place or not: the password goes first.
    if (!existsSync(join(dataFolder, 'postgres')))
      rmSync(join(dataFolder, 'postgres-password'), { force: true });
  }
  const [keyName] = relative(dataFolder, masterKeyFile).split(sep);
  const others = readdirSync(dataFolder).filter((name) => name !== keyName && !PROGRAMS.test(name));
  if (others.length > 0)
    throw new Error(
      `${dataFolder} is not empty: it has ${others.join(', ')}. A back-up is restored into an empty DATA_DIR, in which only the master key may be. Move the folder away, or set DATA_DIR.`,
    );
}

/** As root, PostgreSQL's own user must get through. */
function openFor(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** The database goes last: with it, the folder is one of a service. */
async function moveInto(dataFolder: string, folder: string): Promise<void> {
  renameSync(join(folder, 'postgres-password'), join(dataFolder, 'postgres-password'));
  await syncName(join(dataFolder, 'postgres-password'));
  renameSync(join(folder, 'postgres'), join(dataFolder, 'postgres'));
  await syncName(join(dataFolder, 'postgres'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
