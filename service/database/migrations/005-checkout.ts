import { type Kysely, sql } from 'kysely';

/** `schema.ts` says what the columns are. Card data is in none of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table checkout_sessions (
      id text primary key,
      page_id text not null unique,
      application_id text not null references accounts,
      provider text not null,
      provider_session text,
      livemode boolean not null,
      url text not null,
      line_items jsonb not null,
      currency text not null,
      amount_subtotal bigint not null,
      amount_total bigint not null,
      customer_id text,
      success_url text not null,
      cancel_url text not null,
      status text not null check (status in ('open', 'complete', 'expired')),
      payment_status text not null check (payment_status in ('paid', 'unpaid')),
      payment_intent text,
      customer_details jsonb,
      sequence integer not null default 0,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      completed_at timestamptz,
      cancelled_at timestamptz
    )`,
    sql`create unique index checkout_sessions_provider on checkout_sessions (provider, provider_session)
      where provider_session is not null`,
    sql`create index checkout_sessions_application on checkout_sessions (application_id, created_at)`,
    sql`create index checkout_sessions_due on checkout_sessions (least(expires_at, cancelled_at), id) where status = 'open'`,
    sql`create table checkout_payments (
      id text primary key,
      session_id text not null references checkout_sessions,
      attempt text not null,
      state text not null check (state in ('paid', 'declined', 'challenge')),
      reason text,
      brand text not null,
      last4 text not null,
      customer_details jsonb not null,
      created_at timestamptz not null default now(),
      settled_at timestamptz,
      unique (session_id, attempt)
    )`,
    sql`create table provider_events (
      id text primary key,
      received_at timestamptz not null default now()
    )`,
    sql`create index provider_events_received on provider_events (received_at)`,
    sql`create table dashboard_keys (
      hash bytea primary key,
      kind text not null check (kind in ('link', 'visit')),
      application_id text not null references accounts,
      expires_at timestamptz not null
    )`,
    sql`alter table request_keys add column session_id text references checkout_sessions`,
    sql`create table webhooks (
      id text primary key,
      application_id text not null references accounts,
      url text not null,
      type text not null check (type in ('BASIC_AUTHENTICATION', 'API_KEY')),
      credentials bytea not null,
      signing_secret bytea not null,
      master_version integer not null,
      created_at timestamptz not null default now(),
      disabled_at timestamptz
    )`,
    sql`create index webhooks_application on webhooks (application_id)`,
    sql`create table events (
      id text primary key,
      session_id text not null references checkout_sessions,
      application_id text not null references accounts,
      type text not null,
      sequence integer not null,
      body text not null,
      created_at timestamptz not null default now(),
      unique (session_id, sequence)
    )`,
    sql`create table deliveries (
      id text primary key,
      event_id text not null references events,
      webhook_id text not null references webhooks,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given-up')),
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      leased_until timestamptz,
      log jsonb not null default '[]',
      created_at timestamptz not null default now()
    )`,
    sql`create index deliveries_due on deliveries (next_attempt_at) where state = 'waiting'`,
    sql`create index deliveries_webhook on deliveries (webhook_id, created_at)`,
    sql`create index deliveries_event on deliveries (event_id)`,
    sql`create table icons (
      id text primary key,
      application_id text not null references accounts,
      filename text not null,
      png bytea not null,
      size integer not null,
      created_at timestamptz not null default now()
    )`,
    sql`create index icons_application on icons (application_id)`,
    sql`create table branding (
      application_id text primary key references accounts,
      primary_color text not null,
      secondary_color text not null,
      icon_id text not null references icons,
      changed_at timestamptz not null default now()
    )`,
  ])
    await statement.execute(db);
}
