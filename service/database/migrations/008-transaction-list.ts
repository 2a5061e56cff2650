import { type Kysely, sql } from 'kysely';

/** A page of a wallet's transactions is found without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index transactions_of_wallet on transactions (wallet_id, created_at, id)`.execute(db);
}
