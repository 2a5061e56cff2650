import { type Kysely, sql } from 'kysely';

/** Everything that is secret here is encrypted; `service/custody/pins.ts` says how. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table pins (
      id text primary key,
      salt bytea not null,
      cost jsonb not null,
      share bytea not null,
      master_version integer not null,
      by_pin bytea not null,
      by_recovery_code bytea not null,
      tries integer not null default 0,
      cleared integer not null default 0,
      locked_until timestamptz,
      created_at timestamptz not null default now(),
      changed_at timestamptz
    )`,
    sql`create index pins_master_version on pins (master_version)`,
    sql`create table wallet_secrets (
      wallet_id text primary key references wallets,
      pin_id text not null references pins,
      data_key bytea not null,
      private_key bytea not null
    )`,
    sql`create table devices (
      account_id text not null references accounts,
      thumbprint text not null,
      created_at timestamptz not null default now(),
      primary key (account_id, thumbprint)
    )`,
    sql`create table device_proofs (
      thumbprint text not null,
      proof bytea not null,
      expires_at timestamptz not null,
      primary key (thumbprint, proof)
    )`,
    sql`create index device_proofs_expiry on device_proofs (expires_at)`,
  ])
    await statement.execute(db);
}
