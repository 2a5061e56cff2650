import { type Kysely, sql } from 'kysely';

/** `schema.ts` says what the columns are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column merchant text, add column origins text[] not null default '{}'`.execute(
    db,
  );
}
