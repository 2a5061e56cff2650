import { type Kysely, sql } from 'kysely';

/** Gives up rather than wait for a long transaction, with everything else queued behind it; `migrate` tries again. */
const LOCK_MS = 500;

/** Encrypted copies of browsers' vaults. They are nobody's that the service knows: who has the key of an id may write there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  for (const statement of [
    sql`create table copies (
      id bytea primary key,
      kind text not null,
      owner bytea not null,
      writer bytea,
      counter bigint not null,
      hash bytea not null,
      removed boolean not null default false,
      object bytea not null,
      used_on date not null
    )`,
    sql`create index copies_used on copies (used_on)`,
    // Limits by the hour and by the day. Processes of the previous release count minutes only, and may forget longer counts.
    sql`alter table rate_counters add column seconds integer not null default 60`,
  ])
    await statement.execute(db);
}
