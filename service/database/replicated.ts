/**
 * Makes sure that what was read is durable. A commit whose wait for a second server was cancelled can be read until a failover undoes it. A
 * later commit is confirmed only once that server has everything before it.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Call it before answering a repeated request, which writes nothing else. Throws `service.unreachable`. */
export async function confirmReplicated(db: Database): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'carabiner', '')`.execute(db);
}
