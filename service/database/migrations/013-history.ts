import { type Kysely, sql } from 'kysely';

/** What transactions do and cost, what replaces what, and what arrived at wallets: `service/transactions/history.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`alter table transactions add column draft text, add column effect text, add column fee text,
      add column replaces text references transactions`,
    sql`create index transactions_replacing on transactions (replaces) where replaces is not null`,
    sql`create table arrivals (
      id text primary key,
      wallet_id text not null references wallets,
      place text not null,
      secret_type text not null,
      network text not null,
      hash text not null,
      state text not null check (state in ('sent', 'confirmed')),
      effect text not null,
      dust boolean not null,
      settled boolean not null,
      created_at timestamptz not null,
      unique (wallet_id, place)
    )`,
    sql`create index arrivals_of_wallet on arrivals (wallet_id, created_at, id)`,
    sql`create index arrivals_hash on arrivals (hash)`,
    sql`create table arrival_looks (
      wallet_id text primary key references wallets,
      position bigint,
      looked_at timestamptz not null,
      read_at timestamptz
    )`,
  ])
    await statement.execute(db);
}
