import { type Kysely, sql } from 'kysely';

/** A reference locks the other table: gives up rather than wait for a long transaction; `migrate` tries again. */
const LOCK_MS = 500;

/**
 * Extended public keys of which every session gets an address of its own: `checkout-tables.ts` says what the columns are. An index is given
 * once, and an address is one session's, whatever happens at the same time. An event may be of an account alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  for (const statement of [
    sql`create table receiving_keys (
      id text primary key,
      application_id text not null references accounts,
      secret_type text not null,
      network text not null,
      identity bytea not null unique,
      fingerprint text not null,
      addresses text[] not null,
      sealed bytea not null,
      master_version integer not null,
      next_index integer not null default 0 check (next_index >= 0),
      paid_index integer,
      max_gap integer not null,
      created_at timestamptz not null default now(),
      retired_at timestamptz
    )`,
    sql`create index receiving_keys_application on receiving_keys (application_id)`,
    sql`create index receiving_keys_version on receiving_keys (master_version)`,
    sql`create table payment_addresses (
      key_id text not null references receiving_keys,
      address_index integer not null,
      application_id text not null references accounts,
      session_id text not null references checkout_sessions,
      network text not null,
      address text not null,
      script text not null,
      taken_at timestamptz not null default now(),
      watched_until timestamptz not null,
      paid_at timestamptz,
      primary key (key_id, address_index),
      unique (network, script),
      unique (session_id, network)
    )`,
    sql`create index payment_addresses_watched on payment_addresses (network, watched_until)`,
    sql`alter table events drop constraint events_check,
      add constraint events_about check ((session_id is null) = (sequence is null) and num_nonnulls(session_id, wallet_id) <= 1) not valid`,
    sql`alter table receiving_wallets add column key_id text references receiving_keys`,
    sql`alter table wallet_quotes add column key_id text references receiving_keys`,
  ])
    await statement.execute(db);
}
