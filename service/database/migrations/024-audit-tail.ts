import { type Kysely, sql } from 'kysely';

/**
 * Takes the log's lock, then reads its last row: one round trip, as every other writer waits meanwhile. In a volatile function the second
 * statement has a snapshot of its own, so that it sees what the previous holder of the lock wrote.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function audit_tail(out "position" bigint, out mac bytea, out at timestamptz)
    language plpgsql volatile as $$
    begin
      perform pg_advisory_xact_lock(7265016, 0);
      select l.position, l.mac into audit_tail.position, audit_tail.mac
        from audit_log l order by l.position desc limit 1;
      at := date_trunc('milliseconds', clock_timestamp());
    end $$`.execute(db);
}
