import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table links (
    application_id text not null references accounts,
    account_id text not null references accounts,
    origin text not null,
    wallet_id text not null references wallets,
    created_at timestamptz not null default now(),
    primary key (application_id, account_id, origin, wallet_id)
  )`.execute(db);
}
