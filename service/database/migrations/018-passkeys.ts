import { type Kysely, sql } from 'kysely';

/** `service/custody/passkeys.ts` says what a passkey is for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table passkeys (
      account_id text primary key references accounts,
      credential_id bytea not null,
      public_key bytea not null,
      counter bigint not null,
      salt bytea not null,
      transports text[] not null,
      by_passkey bytea not null,
      created_at timestamptz not null default now()
    )`,
    sql`create table passkey_answers (
      challenge bytea primary key,
      expires_at timestamptz not null
    )`,
    sql`create index passkey_answers_expiry on passkey_answers (expires_at)`,
  ])
    await statement.execute(db);
}
