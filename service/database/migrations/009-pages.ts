import { type Kysely, sql } from 'kysely';

/** A page of an account's wallets, and a wallet by what is known of it, are found without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create index wallets_page_of_owner on wallets (owner_id, created_at, id)`,
    sql`create index wallets_page_of_application on wallets (application_id, created_at, id)`,
    // Of users' wallets: what follows the mark of `service/wallets/identifiers.ts`.
    sql`create index wallets_given on wallets (split_part(identifier, chr(1), 2)) where wallet_type = 'THREEWAY_SHARED'`,
    sql`create index wallets_address on wallets (lower(address))`,
  ])
    await statement.execute(db);
}
