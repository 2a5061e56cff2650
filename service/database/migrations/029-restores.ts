import { type Kysely, sql } from 'kysely';

/** A reference locks the other table: gives up rather than wait for a long transaction; `migrate` tries again. */
const LOCK_MS = 500;

/** From which back-ups the database was restored, and what the chains have that those had not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  for (const statement of [
    sql`create table restores (
      id text primary key,
      backup_at timestamptz not null,
      restored_at timestamptz not null default clock_timestamp(),
      accepted_at timestamptz
    )`,
    sql`create table restored_wallets (
      restore_id text not null references restores,
      wallet_id text not null references wallets,
      owner_id text not null,
      network text not null,
      missing integer,
      transactions text not null,
      primary key (wallet_id, restore_id, network)
    )`,
  ])
    await statement.execute(db);
}
