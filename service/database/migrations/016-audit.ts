import { type Kysely, sql } from 'kysely';

/** `service/audit/audit-log.ts` says what is in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_log (
    position bigint primary key check (position > 0),
    at timestamptz not null,
    actor text not null,
    action text not null,
    subject text not null,
    details text not null,
    master_version integer not null,
    mac bytea not null
  )`.execute(db);
}
