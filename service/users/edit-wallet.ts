/** Changes by a wallet's owner: its texts, whether it is archived, and which one is primary on its chain. */
import { sql, type Transaction } from 'kysely';
import type { UpdateWallet } from '../../src/api/wallet-requests.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { archived, forbidden } from '../custody/wallet-errors.ts';
import type { Database } from '../database/database.ts';
import type { Schema, WalletRow } from '../database/schema.ts';

/** Any number that nothing else uses as the first half of an advisory lock. */
const PRIMARY_LOCK = 7_265_004;

/**
 * The key of an archived wallet cannot be used until it is restored. The primary wallet is never an archived one: the oldest other wallet
 * takes its place. Throws `wallet.forbidden`, `wallet.archived`, and `request.invalid` at `primary`.
 */
export async function editWallet(db: Database, id: string, edits: UpdateWallet): Promise<void> {
  if (edits.primary && edits.archived)
    throw invalid('primary', 'is not for a wallet that is archived; leave it out');
  await db.transaction().execute(async (tx) => {
    const wallet = await heldWallet(tx, id);
    const texts = Object.fromEntries(
      Object.entries({ alias: edits.alias, description: edits.description }).filter(
        ([, text]) => text !== undefined,
      ),
    );
    if (Object.keys(texts).length) await tx.updateTable('wallets').set(texts).where('id', '=', id).execute();
    if (edits.archived !== undefined) await setArchived(tx, wallet, edits.archived);
    if (edits.primary) {
      if (edits.archived === undefined && wallet.archived_at) throw archived();
      await setPrimary(tx, wallet);
    }
  });
}

/** Reads the wallet and locks the choice of its chain's primary wallet. */
async function heldWallet(tx: Transaction<Schema>, id: string): Promise<WalletRow> {
  await sql`select pg_advisory_xact_lock(${PRIMARY_LOCK}, hashtext(owner_id || secret_type))
    from wallets where id = ${id}`.execute(tx);
  const wallet = await tx.selectFrom('wallets').selectAll().where('id', '=', id).executeTakeFirst();
  if (!wallet) throw forbidden();
  return wallet;
}

function kinOf(tx: Transaction<Schema>, { owner_id, secret_type }: WalletRow) {
  return tx
    .selectFrom('wallets')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('secret_type', '=', secret_type);
}

async function setArchived(tx: Transaction<Schema>, wallet: WalletRow, away: boolean): Promise<void> {
  await tx
    .updateTable('wallets')
    .set({
      archived_at: away ? sql<Date>`coalesce(archived_at, clock_timestamp())` : null,
      ...(away ? { is_primary: false } : {}),
    })
    .where('id', '=', wallet.id)
    .execute();
  if (away) await tx.deleteFrom('wallet_sessions').where('wallet_id', '=', wallet.id).execute();
  if (away && !wallet.is_primary) return;
  if (await kinOf(tx, wallet).where('is_primary', '=', true).executeTakeFirst()) return;
  const heir = await kinOf(tx, wallet)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
  if (heir) await tx.updateTable('wallets').set({ is_primary: true }).where('id', '=', heir.id).execute();
}

async function setPrimary(tx: Transaction<Schema>, { id, owner_id, secret_type }: WalletRow): Promise<void> {
  await tx
    .updateTable('wallets')
    .set({ is_primary: false })
    .where('owner_id', '=', owner_id)
    .where('secret_type', '=', secret_type)
    .where('is_primary', '=', true)
    .execute();
  await tx.updateTable('wallets').set({ is_primary: true }).where('id', '=', id).execute();
}
