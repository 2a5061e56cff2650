import { type Kysely, sql } from 'kysely';

/** The block of a transaction that does not have its confirmations yet: a reorganisation may still remove it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transactions add column mined_block bigint, add column confirmations integer`.execute(
    db,
  );
}
