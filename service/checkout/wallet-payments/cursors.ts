/**
 * How far each chain has been read. There is a cursor for each coin or token of a network; the one process that moves it
 * leases it, so that a crash costs no more than the rest of the lease.
 */
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { CursorRow, QuoteRow } from '../../database/schema.ts';
import type { Block } from './chains/chain-reader.ts';

/** Call it in the transaction that makes the quote. A cursor that no other quote waits for starts at the head. */
export async function openCursor(
  tx: Database,
  { network, token_address, secret_type }: QuoteRow,
  head: Block,
): Promise<void> {
  const at = new Date();
  await sql`insert into wallet_lanes as l
      (network, token_address, secret_type, position, position_hash, read_until, next_look_at, asked)
    values (${network}, ${token_address}, ${secret_type}, ${head.number}, ${head.hash}, ${at}, ${at}, 1)
    on conflict (network, token_address) do update set
      position = case when l.next_look_at is null then excluded.position else l.position end,
      position_hash = case when l.next_look_at is null then excluded.position_hash else l.position_hash end,
      read_until = case when l.next_look_at is null then excluded.read_until else l.read_until end,
      failures = case when l.next_look_at is null then 0 else l.failures end,
      next_look_at = coalesce(l.next_look_at, excluded.next_look_at),
      asked = l.asked + 1`.execute(tx);
}

/** Leases cursors that are due, the longest overdue first. */
export async function claimCursors(
  db: Database,
  { leaseMs, limit }: { leaseMs: number; limit: number },
): Promise<CursorRow[]> {
  const at = new Date();
  const { rows } = await sql<CursorRow>`
    with due as (
      select network, token_address from wallet_lanes
      where next_look_at <= ${at} and (leased_until is null or leased_until <= ${at})
      order by next_look_at limit ${limit} for update skip locked
    )
    update wallet_lanes l set leased_until = ${new Date(at.getTime() + leaseMs)} from due
    where l.network = due.network and l.token_address = due.token_address
    returning l.*`.execute(db);
  return rows;
}

/** Updates a cursor only while its lease is ours: another process may have taken it when the lease ended. */
function ours(db: Database, cursor: CursorRow) {
  return db
    .updateTable('wallet_lanes')
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('leased_until', '=', cursor.leased_until);
}

/** Throws `LostLease` when another process has the cursor. */
export async function moveCursor(
  db: Database,
  cursor: CursorRow,
  { number, hash }: Pick<Block, 'number' | 'hash'>,
): Promise<void> {
  const { numUpdatedRows } = await ours(db, cursor)
    .set({ position: number, position_hash: hash })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new LostLease();
  cursor.position = String(number);
  cursor.position_hash = hash;
}

/** Extends the lease when half of it is over. Throws `LostLease` when another process has the cursor. */
export async function extendLease(db: Database, cursor: CursorRow, leaseMs: number): Promise<void> {
  const now = Date.now();
  if (cursor.leased_until!.getTime() - now > leaseMs / 2) return;
  const until = new Date(now + leaseMs);
  const { numUpdatedRows } = await ours(db, cursor).set({ leased_until: until }).executeTakeFirst();
  if (numUpdatedRows === 0n) throw new LostLease();
  cursor.leased_until = until;
}

export class LostLease extends Error {
  override name = 'LostLease';
  constructor() {
    super('another process reads the cursor');
  }
}

export async function noteRead(db: Database, cursor: CursorRow, until: number): Promise<void> {
  if (until <= cursor.read_until.getTime()) return;
  cursor.read_until = new Date(until);
  await ours(db, cursor).set({ read_until: cursor.read_until }).execute();
}

/** Ends the lease. `failures`: how many rounds in a row have failed. */
export async function releaseCursor(
  db: Database,
  cursor: CursorRow,
  nextLookAt: number,
  failures: number,
): Promise<void> {
  await ours(db, cursor)
    .set({ leased_until: null, next_look_at: new Date(nextLookAt), failures })
    .execute();
}

/** Stops reading, unless a quote was made in the meantime: then it returns false. */
export async function closeCursor(db: Database, cursor: CursorRow): Promise<boolean> {
  const { numUpdatedRows } = await ours(db, cursor)
    .where('asked', '=', cursor.asked)
    .set({ leased_until: null, next_look_at: null, failures: 0 })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
