/** A round on a network where every session has an address of its own: its blocks, what waits for one, and what is due. */
import { sql } from 'kysely';
import type { Node } from '../../../../src/chains/terms.ts';
import type { Database } from '../../../database/database.ts';
import type { CursorRow } from '../../../database/schema.ts';
import type { Block } from '../../../scanning/chains/block-reader.ts';
import { withSession } from '../../sessions/transitions.ts';
import { noteRead } from '../cursors.ts';
import { refreshSession } from '../hold-session.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';
import { type Reading, readBlocks } from './read-blocks.ts';
import { type PostponedSettling, settleQuotes } from './settle-quotes.ts';
import { lookAtPool } from './sightings.ts';

export interface Round extends PostponedSettling, Omit<Reading, 'db' | 'settings'> {
  /** Checks transactions that pages reported. */
  checkReports(node: Node): Promise<void>;
}

/** Returns whether nothing more can be read now. */
export async function readAddresses(round: Round, cursor: CursorRow): Promise<boolean> {
  const { db, node, settings } = round;
  const askedAt = Date.now();
  const read = await readBlocks(round, cursor);
  if (!read) return true;
  const { head } = read;
  if (!read.done || !(await settleQuotes(round, round, cursor, head.number))) return false;
  await round.checkReports(node);
  const hasLooked = await lookAtPool(round, cursor);
  await noteRead(db, cursor, readUntil(head, askedAt, node, settings));
  // Long after the last time that memory pools were looked at for them.
  await endQuotes(db, cursor, settings);
  return hasLooked;
}

/** A block's time is its miner's. A node whose newest block is old may be behind. */
function readUntil(head: Block, askedAt: number, node: Node, { staleMs }: WalletPaymentSettings): number {
  const isFresh = node.network.kind === 'local' || askedAt - head.time < staleMs;
  return isFresh ? askedAt : Math.min(head.time, askedAt);
}

/** Expires quotes that were not paid in time, as far as blocks and memory pools show. */
async function endQuotes(
  db: Database,
  { network, token_address, read_until }: CursorRow,
  settings: WalletPaymentSettings,
): Promise<void> {
  const seenAfter = new Date(Date.now() - settings.seenMs);
  const over = await db
    .selectFrom('wallet_quotes as quote')
    .select(['id', 'session_id', 'state'])
    .where('network', '=', network)
    .where('token_address', '=', token_address)
    .where('watched', '=', true)
    .where((is) =>
      is.or([
        is('state', 'in', ['paid', 'expired']),
        is.and([
          is('state', '=', 'quoted'),
          is('expires_at', '<=', new Date(read_until.getTime() - settings.graceMs)),
          is.not(
            is.exists(
              is
                .selectFrom('wallet_sightings as sighting')
                .select('sighting.network')
                .whereRef('sighting.session_id', '=', 'quote.session_id')
                .whereRef('sighting.network', '=', 'quote.network')
                .whereRef('sighting.seen_at', '<=', 'quote.expires_at')
                .where('sighting.seen_at', '>', seenAfter),
            ),
          ),
        ]),
      ]),
    )
    .execute();
  for (const { id, session_id } of over)
    await withSession(db, 'id', session_id, async (tx) => {
      await tx
        .updateTable('wallet_quotes')
        .set({ watched: false, state: sql`case state when 'quoted' then 'expired' else state end` })
        .where('id', '=', id)
        .where('state', '<>', 'pending')
        .execute();
      await refreshSession(tx, session_id, settings);
    });
}

/** Whether any address is searched for, or any payment waits. */
export async function isSearched(db: Database, { network }: CursorRow): Promise<boolean> {
  const { rows } = await sql<{ wanted: boolean }>`select exists (select from payment_addresses
      where network = ${network} and watched_until > ${new Date()})
    or exists (select from wallet_transfers where network = ${network} and key_id is not null and state = 'pending')
    as wanted`.execute(db);
  return rows[0]!.wanted;
}

/** Forgets what no quote waits for any more. */
export async function forgetSightings(db: Database, { seenMs }: WalletPaymentSettings): Promise<void> {
  await db
    .deleteFrom('wallet_sightings')
    .where('seen_at', '<', new Date(Date.now() - 2 * seenMs))
    .execute();
}
