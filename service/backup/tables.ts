/** The tables of a database and their rows as text, in the form in which they are backed up. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { CopyOut, copyIn } from './copying.ts';

export interface Table {
  name: string;
  columns: string[];
}

/** What tells whether two tables have the same rows, in the same order. */
export interface Content {
  rows: number;
  /** Of the text, in hex. */
  sha256: string;
}

/** Kysely's own, which migrating a database fills. */
const OF_MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

/** Whatever the server's settings: values are written so that every PostgreSQL reads them back as they were. */
const AS_WRITTEN = `set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set synchronize_seqscans = off; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set search_path = public`;

const id = (name: string): string => pg.escapeIdentifier(name);
const list = ({ columns }: Table): string => columns.map(id).join(', ');

/** A connection for `rowsOf` and `fill`. */
export async function connectTo(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'back-up' });
  // Whatever uses the connection notices when it breaks.
  client.on('error', () => {});
  await client.connect();
  await client.query(AS_WRITTEN);
  return client;
}

/** In the order of their names. Generated columns are left out. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
         and a.attgenerated = '' and c.relname <> all ($1)
       group by c.relname order by c.relname`,
    [OF_MIGRATIONS],
  );
  return rows;
}

export async function listMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** The versions of the master key that rows were encrypted or signed under. */
export async function masterVersions(client: pg.Client, tables: readonly Table[]): Promise<number[]> {
  const versions = new Set<number>();
  for (const { name, columns } of tables) {
    if (!columns.includes('master_version')) continue;
    const { rows } = await client.query<{ version: number }>(
      `select distinct master_version as version from ${id(name)}`,
    );
    for (const { version } of rows) versions.add(Number(version));
  }
  return [...versions].toSorted((a, b) => a - b);
}

/** Keeps migrations from changing the tables until the transaction ends; reading and writing rows goes on. */
export async function keepAsTheyAre(client: pg.Client, tables: readonly Table[]): Promise<void> {
  if (tables.length)
    await client.query(`lock table ${tables.map(({ name }) => id(name)).join(', ')} in access share mode`);
}

/** Hands each chunk of the table's rows to `take`, and says what they were. */
export async function rowsOf(
  client: pg.Client,
  table: Table,
  take: (chunk: Buffer) => void | Promise<void> = () => {},
): Promise<Content> {
  const counter = new RowCounter();
  const rows = client.query(new CopyOut(`copy ${id(table.name)} (${list(table)}) to stdout`));
  for await (const chunk of rows) {
    counter.add(chunk as Buffer);
    await take(chunk as Buffer);
  }
  return counter.content();
}

/** Empties every table, then rows can be filled in without their triggers and foreign keys. */
export async function empty(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await client.query('set session_replication_role = replica');
  if (tables.length) await client.query(`truncate ${tables.map(({ name }) => id(name)).join(', ')}`);
}

export function fill(client: pg.Client, table: Table, chunks: AsyncIterable<Buffer>): Promise<void> {
  return copyIn(client, `copy ${id(table.name)} (${list(table)}) from stdin`, chunks);
}

/** Counts the rows of COPY's text, in which a line break within a value is written as `\n`. */
class RowCounter {
  readonly #hash = createHash('sha256');
  #rows = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) this.#rows++;
  }

  content(): Content {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}
