import { type Kysely, sql } from 'kysely';

/** `service/policies/` says what the tables are for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table policies (
      id text primary key,
      subject text not null,
      rules text not null,
      written_by text not null,
      created_at timestamptz not null,
      ends_at timestamptz
    )`,
    sql`create unique index policies_newest on policies (subject) where ends_at is null`,
    sql`create index policies_of on policies (subject, ends_at)`,
    sql`create table policy_spends (
      subject text not null,
      asset text not null,
      transaction_id text not null references transactions,
      raw numeric not null check (raw >= 0),
      first_id text not null,
      spent_at timestamptz not null,
      primary key (subject, asset, transaction_id)
    )`,
    sql`create index policy_spends_of on policy_spends (subject, asset, spent_at)`,
    sql`create index policy_spends_by on policy_spends (transaction_id)`,
    sql`create table held_transactions (
      id text primary key,
      wallet_id text not null references wallets,
      client_id text not null references accounts,
      approvers text[] not null,
      fixed_hash bytea not null,
      draft text not null,
      draft_hash text not null,
      maximum_fee numeric not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      transaction_id text references transactions
    )`,
    sql`create index held_transactions_of on held_transactions (wallet_id, client_id, expires_at)`,
    sql`create index held_transactions_waiting on held_transactions (created_at, id) where transaction_id is null`,
    sql`create table held_approvals (
      held_id text not null references held_transactions,
      client_id text not null references accounts,
      created_at timestamptz not null,
      primary key (held_id, client_id)
    )`,
    // Whoever may spend must not decide how much, whatever a process or a person writes here.
    sql`alter table clients add constraint clients_policies
      check (not scopes @> array['manage:policies', 'sign:wallets'])`,
  ])
    await statement.execute(db);
}
