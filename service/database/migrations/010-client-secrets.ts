import { type Kysely, sql } from 'kysely';

/** A client has two secrets while it changes from one to the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table client_secrets (
      id text primary key,
      client_id text not null references clients,
      hash bytea not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`,
    sql`create index client_secrets_client on client_secrets (client_id, created_at, id)`,
    sql`insert into client_secrets (id, client_id, hash, created_at)
      select gen_random_uuid()::text, id, secret_hash, created_at from clients`,
    // Processes of 0.1.0 still read it while they are replaced, one after another; nothing else does.
    sql`alter table clients alter column secret_hash drop not null`,
  ])
    await statement.execute(db);
}
