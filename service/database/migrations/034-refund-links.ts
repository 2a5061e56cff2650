import { type Kysely, sql } from 'kysely';

/** `checkout-tables.ts` says what the columns are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table refund_links (
      id text primary key,
      token_hash bytea not null unique,
      session_id text not null references checkout_sessions,
      application_id text not null references accounts,
      payment_id text not null,
      amount numeric(78, 0) not null check (amount > 0),
      secret_type text not null,
      network text not null,
      token_address text not null,
      symbol text not null,
      decimals integer not null,
      address text,
      answered_at timestamptz,
      refund_id text unique references refunds,
      cancelled_at timestamptz,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      check ((address is null) = (answered_at is null)),
      check (refund_id is null or address is not null)
    )`,
    sql`create index refund_links_session on refund_links (session_id, created_at)`,
  ])
    await statement.execute(db);
}
