import { type Kysely, sql } from 'kysely';

/** `schema.ts` says what the columns are. The unique indexes make a payment count for one session only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`alter table checkout_sessions add column provider_url text,
      add column held_until timestamptz,
      add column wallet_pending boolean not null default false`,
    sql`create table receiving_wallets (
      application_id text primary key references accounts,
      secret_type text not null,
      network text not null,
      token_address text not null,
      address text not null,
      confirmations integer not null,
      created_at timestamptz not null default now()
    )`,
    sql`create table wallet_quotes (
      id text primary key,
      session_id text not null references checkout_sessions,
      application_id text not null references accounts,
      secret_type text not null,
      network text not null,
      token_address text not null,
      symbol text not null,
      decimals integer not null,
      address text not null,
      amount numeric(78, 0) not null check (amount > 0),
      confirmations integer not null,
      state text not null check (state in ('quoted', 'pending', 'paid', 'expired')),
      watched boolean not null default true,
      reserved boolean not null default true,
      from_block bigint not null,
      told_hash text,
      known_at timestamptz,
      problem text,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`,
    sql`create unique index wallet_quotes_amount on wallet_quotes (network, token_address, address, amount) where reserved`,
    sql`create index wallet_quotes_session on wallet_quotes (session_id, created_at)`,
    sql`create index wallet_quotes_watched on wallet_quotes (network, token_address) where watched`,
    sql`create index wallet_quotes_reserved on wallet_quotes (expires_at) where reserved and not watched`,
    sql`create index wallet_quotes_application on wallet_quotes (network, token_address, address, created_at)`,
    sql`create table wallet_transfers (
      id text primary key,
      application_id text not null references accounts,
      quote_id text references wallet_quotes,
      session_id text references checkout_sessions,
      network text not null,
      token_address text not null,
      symbol text not null,
      decimals integer not null,
      address text not null,
      sender text not null,
      amount numeric(78, 0) not null,
      transaction_hash text not null,
      log_index integer not null,
      block_number bigint not null,
      block_hash text not null,
      confirmations integer not null default 0,
      state text not null check (state in ('pending', 'paid', 'unassigned')),
      reason text,
      seen_at timestamptz not null default now(),
      unique (network, transaction_hash, log_index)
    )`,
    sql`create unique index wallet_transfers_transaction on wallet_transfers (network, transaction_hash)
      where state in ('pending', 'paid')`,
    sql`create unique index wallet_transfers_quote on wallet_transfers (quote_id) where state in ('pending', 'paid')`,
    sql`create index wallet_transfers_application on wallet_transfers (application_id, seen_at)`,
    sql`create index wallet_transfers_session on wallet_transfers (session_id)`,
    sql`create index wallet_transfers_block on wallet_transfers (network, token_address, block_number)`,
    sql`create table wallet_lanes (
      network text not null,
      token_address text not null,
      secret_type text not null,
      position bigint not null,
      position_hash text not null,
      read_until timestamptz not null,
      next_look_at timestamptz,
      leased_until timestamptz,
      asked integer not null default 0,
      failures integer not null default 0,
      primary key (network, token_address)
    )`,
    sql`create index wallet_lanes_due on wallet_lanes (next_look_at) where next_look_at is not null`,
  ])
    await statement.execute(db);
}
