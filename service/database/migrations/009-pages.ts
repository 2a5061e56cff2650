import { type Kysely, sql } from 'kysely';

/** Indexes for pages of an account's wallets, and for finding a wallet by its identifier or address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create index wallets_page_of_owner on wallets (owner_id, created_at, id)`,
    sql`create index wallets_page_of_application on wallets (application_id, created_at, id)`,
    // For users' wallets: the part after the separator of `service/wallets/identifiers.ts`.
    sql`create index wallets_given on wallets (split_part(identifier, chr(1), 2)) where wallet_type = 'THREEWAY_SHARED'`,
    sql`create index wallets_address on wallets (lower(address))`,
  ])
    await statement.execute(db);
}
