import { type Kysely, sql } from 'kysely';

/** `service/transactions/journal.ts` says what the tables are for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`alter table wallets add column network text`,
    sql`create table transactions (
      id text primary key,
      wallet_id text not null references wallets,
      secret_type text not null,
      network text not null,
      custom_node text,
      hash text not null,
      raw text not null,
      request text not null,
      claims text not null,
      state text not null check (
        state in ('signed', 'sent', 'confirmed', 'failed', 'expired', 'refused', 'replaced', 'dropped')),
      error text,
      checks integer not null default 0,
      next_check_at timestamptz,
      created_at timestamptz not null default now(),
      sent_at timestamptz,
      settled_at timestamptz
    )`,
    sql`create unique index transactions_once on transactions (wallet_id, network, hash)
      where state in ('signed', 'sent', 'confirmed', 'failed')`,
    sql`create index transactions_open on transactions (wallet_id) where state in ('signed', 'sent')`,
    sql`create index transactions_settled on transactions (wallet_id, settled_at)`,
    sql`create index transactions_due on transactions (next_check_at) where next_check_at is not null`,
    sql`create index transactions_hash on transactions (hash)`,
    sql`create table request_keys (
      account_id text not null references accounts,
      key text not null,
      fingerprint bytea not null,
      transaction_id text references transactions,
      created_at timestamptz not null default now(),
      primary key (account_id, key)
    )`,
  ])
    await statement.execute(db);
}
