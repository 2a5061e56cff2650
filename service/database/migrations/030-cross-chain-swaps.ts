import { type Kysely, sql } from 'kysely';

/** A reference locks the other table: gives up rather than wait for a long transaction; `migrate` tries again. */
const LOCK_MS = 500;

/** Exchanges between chains that transactions began, until they have ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  for (const statement of [
    sql`create table cross_chain_swaps (
      transaction_id text primary key references transactions,
      owner_id text not null,
      swap text not null,
      looks integer not null default 0,
      next_look_at timestamptz,
      created_at timestamptz not null default clock_timestamp()
    )`,
    sql`create index cross_chain_swaps_due on cross_chain_swaps (next_look_at) where next_look_at is not null`,
  ])
    await statement.execute(db);
}
