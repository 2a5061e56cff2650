/** Loads a back-up into a PostgreSQL of its own in an empty folder. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Cluster, startCluster } from '../database/embedded/cluster.ts';
import { MIGRATIONS, migrateTo } from '../database/migrate.ts';
import type { Schema } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { BackupReader, type Header, NotABackup } from './backup-file.ts';
import { connectTo, empty, fill, listTables, rowsOf, type Table } from './tables.ts';

export interface Loaded {
  header: Header;
  rows: number;
  /** Of the folder: it runs. */
  cluster: Cluster;
}

/**
 * Every table is read again and compared with the back-up. Throws `NotABackup`, also for one that another master key or a newer version of
 * the service made; then the folder has nothing that runs.
 */
export async function loadBackup(path: string, keys: KeyProvider, folder: string): Promise<Loaded> {
  const reader = new BackupReader(path);
  let cluster: Cluster | undefined;
  try {
    // Before the seconds that a PostgreSQL takes.
    const header = await reader.header(keys);
    checkMigrations(header);
    cluster = await startCluster(folder, () => {});
    await makeTables(cluster.connection, header);
    const rows = await fillTables(cluster.connection, reader, header, keys);
    return { header, rows, cluster };
  } catch (error) {
    await cluster?.stop();
    throw error;
  } finally {
    reader.close();
  }
}

function checkMigrations({ migrations, at }: Header): void {
  const unknown = migrations.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown === undefined && migrations.length > 0) return;
  throw new NotABackup(
    `The back-up of ${at} was made by a newer version of the service (${unknown}): use that version.`,
  );
}

/** As they were when the back-up was made: a later migration may change their rows, and does so afterwards. */
async function makeTables(connection: pg.ClientConfig, { migrations }: Header): Promise<void> {
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, max: 2 }) }),
  });
  await migrateTo(db, migrations.at(-1)!).finally(() => db.destroy());
}

async function fillTables(
  connection: pg.ClientConfig,
  reader: BackupReader,
  header: Header,
  keys: KeyProvider,
): Promise<number> {
  const client = await connectTo(connection);
  try {
    checkTables(await listTables(client), header);
    await client.query('begin');
    await empty(client, header.tables);
    let total = 0;
    for (const table of header.tables) {
      const written = await reader.table(table.name, (rows) => fill(client, table, rows));
      const loaded = await rowsOf(client, table);
      if (loaded.rows !== written.rows || loaded.sha256 !== written.sha256)
        throw new NotABackup(
          `The table ${table.name} is not as it was: ${loaded.rows} rows of ${written.rows}.`,
        );
      total += loaded.rows;
    }
    await reader.end(keys, header);
    await client.query('commit');
    await client.query('analyze');
    return total;
  } finally {
    await client.end();
  }
}

function checkTables(made: readonly Table[], { tables }: Header): void {
  const textOf = (list: readonly Table[]): string =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns]));
  if (textOf(made) !== textOf(tables))
    throw new NotABackup('The tables of the back-up are not those of this version of the service.');
}
