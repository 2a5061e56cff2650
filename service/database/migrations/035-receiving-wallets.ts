import { type Kysely, sql } from 'kysely';

/**
 * More receiving wallets of one application, after its first, which processes of the previous release go on setting; quotes of one session
 * for several coins; and payments that add up to a price. The tables are in use: see `LOCK_MS` of 029.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', '500ms', true)`.execute(db);
  for (const statement of [
    sql`alter table receiving_wallets add column further jsonb not null default '[]',
      add column tolerance integer not null default 0`,
    sql`alter table wallet_quotes add column tolerance integer not null default 0,
      add column chosen_at timestamptz,
      add column enough boolean not null default false`,
    sql`alter table wallet_transfers add column certain boolean not null default false`,
  ])
    await statement.execute(db);
}
