import { type Kysely, sql } from 'kysely';

/** `checkout-tables.ts` says what the columns are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table receipt_mails (
      session_id text primary key references checkout_sessions,
      application_id text not null references accounts,
      address text,
      language text not null,
      state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'refused', 'given-up', 'unknown')),
      attempts integer not null default 0,
      addresses integer not null default 1,
      next_attempt_at timestamptz,
      leased_until timestamptz,
      created_at timestamptz not null default now(),
      settled_at timestamptz,
      check ((state in ('waiting', 'sending')) = (address is not null))
    )`,
    sql`create index receipt_mails_due on receipt_mails (next_attempt_at) where state in ('waiting', 'sending')`,
  ])
    await statement.execute(db);
}
