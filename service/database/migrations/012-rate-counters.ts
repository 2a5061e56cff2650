import { type Kysely, sql } from 'kysely';

/** Unlogged: what was counted in the last minute need not outlive a crash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unlogged table rate_counters (
    key text primary key,
    started_at timestamptz not null,
    taken bigint not null
  )`.execute(db);
}
