import { type Kysely, sql } from 'kysely';

/** `checkout-tables.ts` says what the columns are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`alter table checkout_sessions
      add column client_reference_id text,
      add column metadata jsonb,
      add column receipt_url text,
      add column paid_at timestamptz,
      add column withdrawn boolean not null default false,
      add column refunded text not null default 'none' check (refunded in ('none', 'partly', 'fully')),
      add column wallet_payment jsonb`,
    sql`create index checkout_sessions_reference on checkout_sessions (application_id, client_reference_id, created_at)
      where client_reference_id is not null`,
    sql`create table refunds (
      id text primary key,
      session_id text not null references checkout_sessions,
      application_id text not null references accounts,
      payment_id text not null,
      method text not null check (method in ('card', 'wallet')),
      state text not null check (state in ('pending', 'succeeded', 'failed')),
      failure text,
      note text,
      amount numeric(78, 0) not null check (amount > 0),
      provider text,
      provider_refund text,
      currency text,
      transaction_id text unique references transactions,
      network text,
      token_address text,
      symbol text,
      decimals integer,
      address text,
      looks integer not null default 0,
      next_look_at timestamptz,
      created_at timestamptz not null default now(),
      settled_at timestamptz
    )`,
    sql`create index refunds_session on refunds (session_id, created_at)`,
    sql`create index refunds_payment on refunds (payment_id)`,
    sql`create index refunds_due on refunds (next_look_at) where next_look_at is not null`,
    sql`create unique index refunds_provider on refunds (provider, provider_refund) where provider_refund is not null`,
    sql`alter table request_keys add column refund_id text references refunds`,
  ])
    await statement.execute(db);
}
