import { type Kysely, sql } from 'kysely';

/** Gives up rather than wait for a long transaction, with everything else queued behind it; `migrate` tries again. */
const LOCK_MS = 500;

/**
 * A wallet is on every network of its kind. Until now each used its default network only, as processes of the previous release still do: so
 * what a row without a network counts for is that one, and their statements fit the tables as they are now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  for (const statement of [
    sql`alter table clients add column networks text[]`,
    sql`alter table policy_spends add column network text, add column by_default boolean not null default true`,
    // The index of a hundred thousand watches takes a moment.
    sql`alter table wallet_watches drop constraint wallet_watches_pkey, add primary key (wallet_id, network)`,
    // What was read on a wallet's default network is in arrival_looks.
    sql`create table network_looks (
      wallet_id text not null references wallets,
      network text not null,
      owner_id text not null,
      position bigint,
      looked_at timestamptz not null,
      read_at timestamptz,
      primary key (wallet_id, network)
    )`,
  ])
    await statement.execute(db);
}
