import { type Kysely, sql } from 'kysely';

/** A PIN is tried by one process at a time, which holds no connection meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pins add column trying_until timestamptz`.execute(db);
}
