import { type Kysely, sql } from 'kysely';

/** An index locks its table: gives up rather than wait for a long transaction; `migrate` tries again. */
const LOCK_MS = 500;

/**
 * Payments to addresses that are one session's alone: any number of outputs add up, so a transaction may pay several sessions, and several
 * transactions one. `wallet_sightings` has what no block has yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  for (const statement of [
    sql`alter table receiving_wallets add column confirmations_above jsonb`,
    sql`alter table wallet_transfers add column key_id text references receiving_keys`,
    sql`drop index wallet_transfers_transaction`,
    sql`drop index wallet_transfers_quote`,
    sql`create unique index wallet_transfers_transaction on wallet_transfers (network, transaction_hash)
      where state in ('pending', 'paid') and key_id is null`,
    sql`create unique index wallet_transfers_quote on wallet_transfers (quote_id)
      where state in ('pending', 'paid') and key_id is null`,
    sql`create index wallet_transfers_counted on wallet_transfers (quote_id) where state in ('pending', 'paid')`,
    sql`alter table wallet_lanes add column read_again_after bigint`,
    sql`create table wallet_sightings (
      network text not null,
      transaction_hash text not null,
      log_index integer not null,
      application_id text not null references accounts,
      session_id text not null references checkout_sessions,
      address text not null,
      amount numeric(78, 0) not null,
      seen_at timestamptz not null,
      missing_since timestamptz,
      primary key (network, transaction_hash, log_index)
    )`,
    sql`create index wallet_sightings_session on wallet_sightings (session_id)`,
  ])
    await statement.execute(db);
}
