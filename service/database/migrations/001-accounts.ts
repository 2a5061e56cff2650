import { type Kysely, sql } from 'kysely';

/** Text of bounded length. The API counts UTF-16 units and PostgreSQL characters, so the API's limit is the stricter one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table accounts (
      id text primary key,
      issuer text not null,
      subject text not null,
      application boolean not null,
      username text,
      email text,
      verified_email text,
      first_name text,
      last_name text,
      created_at timestamptz not null default now(),
      unique (issuer, subject, application)
    )`,
    sql`create index accounts_verified_email on accounts (verified_email) where verified_email is not null`,
    sql`create table clients (
      id text primary key references accounts,
      name text not null,
      secret_hash bytea not null,
      scopes text[] not null,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    )`,
    sql`create table application_users (
      application_id text not null references accounts,
      account_id text not null references accounts,
      created_at timestamptz not null default now(),
      primary key (application_id, account_id)
    )`,
    sql`create table signing_keys (
      id text primary key,
      algorithm text not null,
      public_jwk jsonb not null,
      wrapped bytea not null,
      master_version integer not null,
      created_at timestamptz not null default now(),
      active_at timestamptz not null,
      retired_at timestamptz
    )`,
    sql`create table wallets (
      id text primary key,
      owner_id text not null references accounts,
      application_id text not null references accounts,
      identifier text,
      wallet_type text not null check (wallet_type in ('WHITE_LABEL', 'THREEWAY_SHARED')),
      secret_type text not null,
      address text not null,
      alias text not null default '',
      description text not null default '',
      is_primary boolean not null,
      archived_at timestamptz,
      created_at timestamptz not null default now()
    )`,
    sql`create index wallets_of_owner on wallets (owner_id, secret_type, created_at, id)`,
    sql`create index wallets_of_application on wallets (application_id, secret_type, created_at, id)`,
    sql`create unique index wallets_identifier on wallets (application_id, identifier) where identifier is not null`,
    sql`create unique index wallets_primary on wallets (owner_id, secret_type) where is_primary`,
  ])
    await statement.execute(db);
}
