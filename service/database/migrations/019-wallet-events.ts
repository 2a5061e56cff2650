import { type Kysely, sql } from 'kysely';

/**
 * Events of wallets, in the tables of payment events, and the search of chains for deposits: `service/webhooks` and `service/deposits`. No
 * deposit is in `deposits` twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`alter table webhooks add column events text[], add column all_wallets boolean not null default false`,
    sql`alter table events alter column session_id drop not null, alter column sequence drop not null,
      add column wallet_id text references wallets,
      add check ((session_id is null) = (sequence is null) and (session_id is null) <> (wallet_id is null))`,
    sql`create index events_wallet on events (wallet_id) where wallet_id is not null`,
    sql`create table wallet_watches (
      wallet_id text primary key references wallets,
      network text not null,
      recipient text not null,
      created_at timestamptz not null default now()
    )`,
    sql`create index wallet_watches_recipient on wallet_watches (network, recipient)`,
    sql`create table scan_cursors (
      network text primary key,
      secret_type text not null,
      since timestamptz not null,
      position bigint,
      position_hash text,
      head bigint,
      block_time timestamptz,
      next_look_at timestamptz,
      leased_until timestamptz,
      asked integer not null default 0,
      failures integer not null default 0
    )`,
    sql`create index scan_cursors_due on scan_cursors (next_look_at) where next_look_at is not null`,
    sql`create table scanned_blocks (
      network text not null references scan_cursors,
      number bigint not null,
      hash text not null,
      primary key (network, number)
    )`,
    sql`create table deposits (
      network text not null,
      transaction_hash text not null,
      place text not null,
      wallet_id text not null references wallets,
      block_number bigint not null,
      block_hash text not null,
      sender text,
      token_address text,
      symbol text not null,
      decimals integer not null,
      amount numeric(78, 0) not null check (amount > 0),
      seen_at timestamptz not null default now(),
      announced_at timestamptz,
      primary key (network, transaction_hash, place, wallet_id)
    )`,
    sql`create index deposits_waiting on deposits (network, block_number) where announced_at is null`,
    sql`create index deposits_announced on deposits (announced_at) where announced_at is not null`,
    sql`create index deposits_wallet on deposits (wallet_id)`,
  ])
    await statement.execute(db);
}
