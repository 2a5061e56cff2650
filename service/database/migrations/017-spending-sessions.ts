import { type Kysely, sql } from 'kysely';

/** `service/custody/spending-sessions.ts` says how a session opens a wallet. The database checks the limits, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table wallet_sessions (
      id text primary key,
      wallet_id text not null references wallets,
      application_id text not null,
      secret_id text,
      token_hash bytea not null,
      share bytea not null,
      master_version integer not null,
      data_key bytea not null,
      pin_mark bytea not null,
      transactions integer not null,
      used integer not null default 0 check (used <= transactions),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    sql`create index wallet_sessions_wallet on wallet_sessions (wallet_id)`,
    sql`create index wallet_sessions_expiry on wallet_sessions (expires_at)`,
    sql`create table wallet_session_limits (
      session_id text not null references wallet_sessions on delete cascade,
      asset text not null,
      amount numeric(78, 0) not null,
      used numeric(78, 0) not null default 0 check (used <= amount),
      primary key (session_id, asset)
    )`,
  ])
    await statement.execute(db);
}
