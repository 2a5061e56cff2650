/** Fills in `owner_id` of rows that are older than the column, in the background: a few pages of a table at a time. */
import { sql } from 'kysely';
import type { Database } from './database.ts';

const PAGES = 100;

/**
 * For the tables of migration 023, whose constraint holds for all rows once this is done. Does nothing once it is done. Several processes may
 * do it at once, and one that was interrupted is continued by the next start.
 */
export async function fillAccounts(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string }>`select conrelid::regclass::text as table from pg_constraint
    where conname = conrelid::regclass::text || '_account' and not convalidated`.execute(db);
  for (const { table } of rows) {
    while (await isMissing(db, table)) await fillOnce(db, table);
    await sql`alter table ${sql.table(table)} validate constraint ${sql.id(`${table}_account`)}`.execute(db);
  }
}

async function isMissing(db: Database, table: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where owner_id is null limit 1`.execute(db);
  return rows.length > 0;
}

/** The table's trigger finds the account. Rows that are locked by others are left for the next time. */
async function fillOnce(db: Database, table: string): Promise<void> {
  const { rows } = await sql<{ pages: string }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::integer as pages`.execute(
    db,
  );
  for (let page = 0; page < Number(rows[0]!.pages); page += PAGES)
    await sql`with old as (
        select ctid from ${sql.table(table)} where owner_id is null
          and ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES},0)`}::tid for update skip locked)
      update ${sql.table(table)} t set owner_id = null from old where t.ctid = old.ctid`.execute(db);
}
