/** The databases of the service's tests: one PostgreSQL for all files that do not start their own, and a prepared folder for those that do. */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../service/database/database.ts';
import { type Cluster, startCluster } from '../../service/database/embedded/cluster.ts';
import type { RunFolder } from './run-folder.ts';

const QUIET = { debug: () => {}, warn: () => {} };

export class TestDatabase {
  #folder: Promise<string> | undefined;
  #cluster: Promise<Cluster> | undefined;

  constructor(readonly run: RunFolder) {}

  /** For files that start their own: the data folder of a migrated database, which they copy. */
  async own(): Promise<NodeJS.ProcessEnv> {
    return { TEST_DATABASE_URL: undefined, TEST_DATABASE_TEMPLATE: await (this.#folder ??= this.#prepare()) };
  }

  /** For the others: a PostgreSQL by its URL, which is `TEST_DATABASE_URL`, else ours, and a migrated database in it, which they copy. */
  async shared(): Promise<NodeJS.ProcessEnv> {
    const { TEST_DATABASE_TEMPLATE } = await this.own();
    const given = process.env['TEST_DATABASE_URL'];
    if (given) return { TEST_DATABASE_URL: given, TEST_DATABASE_TEMPLATE };
    const { connection } = await (this.#cluster ??= this.#start());
    const { host, port, user, password, database } = connection;
    return {
      TEST_DATABASE_URL: `postgres://${user}:${String(password)}@${host}:${port}/postgres`,
      TEST_DATABASE_SOURCE: database,
      TEST_DATABASE_TEMPLATE,
    };
  }

  async #prepare(): Promise<string> {
    const dataFolder = join(this.run.temporary(), 'data');
    const database = await openDatabase(
      { databaseUrl: undefined, databaseConnections: 2, dataFolder },
      QUIET,
    );
    await database.close();
    // What they write is lost if the machine stops, not if PostgreSQL does, and no commit waits for the disk.
    appendFileSync(
      join(dataFolder, 'postgres/postgresql.auto.conf'),
      'fsync = off\nfull_page_writes = off\n',
    );
    return dataFolder;
  }

  async #start(): Promise<Cluster> {
    const { TEST_DATABASE_TEMPLATE: folder } = await this.own();
    const copy = `${folder!}-shared`;
    // Keeps owners: when we run as root, PostgreSQL runs as another user.
    execFileSync('cp', ['-a', folder!, copy]);
    return startCluster(copy, () => {});
  }

  async close(): Promise<void> {
    await (await this.#cluster)?.stop();
  }
}
