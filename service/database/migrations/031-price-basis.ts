import { type Kysely, sql } from 'kysely';

/** What the price of a quote was made of. The table is in use: see `LOCK_MS` of 029. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', '500ms', true)`.execute(db);
  await sql`alter table wallet_quotes add column price_basis jsonb`.execute(db);
}
