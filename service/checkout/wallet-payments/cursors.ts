/** How far each chain has been read for payments. There is a cursor for each coin or token of a network. */
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { CursorRow, QuoteRow } from '../../database/schema.ts';
import type { Block } from '../../scanning/chains/block-reader.ts';
import { Cursors } from '../../scanning/cursors.ts';

export const PAYMENT_CURSORS = new Cursors<CursorRow>('wallet_lanes', ['network', 'token_address']);

/** A head that is at most this far behind comes from another node of the same group. */
const BEHIND = 3;

/** Whether the node that has this head only has not seen yet what was read of another one. */
export function isBehind(head: Block, { position }: CursorRow): boolean {
  const missing = Number(position) - head.number;
  return missing > 0 && missing <= BEHIND;
}

/** Call it in the transaction that makes the quote. A cursor that no other quote waits for starts at the head. */
export async function openCursor(
  tx: Database,
  { network, token_address, secret_type }: Pick<QuoteRow, 'network' | 'token_address' | 'secret_type'>,
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

export async function noteRead(db: Database, cursor: CursorRow, until: number): Promise<void> {
  if (until <= cursor.read_until.getTime()) return;
  cursor.read_until = new Date(until);
  await PAYMENT_CURSORS.update(db, cursor, { read_until: cursor.read_until });
}
