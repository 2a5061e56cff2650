/**
 * Makes sure that what was read will last. A commit whose wait for a second server was cancelled can be read all the same, until a failover takes
 * it back; a later commit is confirmed only once that server has everything before it.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Before the answer to a repeated request, which writes nothing else. Throws `service.unreachable`. */
export async function confirmReplicated(db: Database): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'carabiner', '')`.execute(db);
}
