import { type Kysely, sql } from 'kysely';

/** Until now a token of any scope could do these. Written out: the list in the code may grow. */
const SCOPES = ['checkout', 'refund', 'receiving-wallet', 'branding', 'webhooks'];

/** Existing clients keep what they may do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', '500ms', true)`.execute(db);
  await sql`update clients set scopes = scopes || ${SCOPES}::text[]`.execute(db);
}
