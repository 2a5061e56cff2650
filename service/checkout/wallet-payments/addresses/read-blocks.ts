/**
 * Reads every block of a network once, whatever the number of addresses, and records outputs to those that sessions have. A crash at any
 * point loses nothing that was recorded, and what is read again is recorded once.
 */
import { sql } from 'kysely';
import type { Node } from '../../../../src/chains/terms.ts';
import { nonsense } from '../../../../src/chains/nodes/http.ts';
import type { Database } from '../../../database/database.ts';
import type { CursorRow, TransferRow } from '../../../database/schema.ts';
import type { Block } from '../../../scanning/chains/block-reader.ts';
import type { OutputReader } from '../chains/utxo-reader.ts';
import { isBehind, PAYMENT_CURSORS } from '../cursors.ts';
import { watchedAddresses } from './take-address.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';
import { groupBy } from './group-by.ts';
import { recordOutputs } from './record-outputs.ts';
import { takeBack } from './take-back.ts';

/** How far back a reorganised chain is read again; further if transfers show that it was reorganised more deeply. */
const REWIND = 6;

export interface Reading {
  db: Database;
  node: Node;
  reader: OutputReader;
  settings: WalletPaymentSettings;
  /** Whether the process is stopping: it does so between two blocks. */
  isStopped: () => boolean;
  recorded(transfer: TransferRow): void;
}

/** `done`: everything up to the head was read; otherwise there is more to do at once. Undefined when the node is behind what was read before. */
export async function readBlocks(
  reading: Reading,
  cursor: CursorRow,
): Promise<{ head: Block; done: boolean } | undefined> {
  const { db, node, reader, settings, isStopped } = reading;
  const until = Date.now() + settings.roundMs;
  const head = await reader.readBlock(node, 'latest');
  if (!head) return undefined;
  if (isBehind(head, cursor)) return undefined;
  const position = Number(cursor.position);
  const last = head.number < position ? undefined : await reader.readBlock(node, position);
  if (last?.hash !== cursor.position_hash) {
    await rewind(reading, cursor, Math.min(head.number, position));
    return { head, done: false };
  }
  while (Number(cursor.position) < head.number) {
    await PAYMENT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    if (isStopped() || Date.now() > until || !(await readNext(reading, cursor))) return { head, done: false };
  }
  return { head, done: cursor.read_again_after === null || (await forgetAbandoned(reading, cursor)) };
}

/** Moves the cursor back to before this block. Throws when the node does not have the block there. */
export async function rewind(reading: Reading, cursor: CursorRow, from: number): Promise<void> {
  const { db, node, reader } = reading;
  let to = Math.max(0, Math.min(from, Number(cursor.position)) - REWIND);
  for (;;) {
    const newest = await newestBlock(db, cursor, to);
    if (!newest || (await reader.readBlock(node, newest.number))?.hash === newest.hash) break;
    to = Math.max(0, newest.number - 1);
  }
  const back = await reader.readBlock(node, to);
  if (!back) throw nonsense('a block that its chain must have');
  const after = Math.min(to, Number(cursor.read_again_after ?? to));
  await PAYMENT_CURSORS.move(db, cursor, back, { read_again_after: after });
  cursor.read_again_after = String(after);
}

/** The newest block up to this one that has a transfer which is not settled. */
async function newestBlock(
  db: Database,
  { network, token_address }: CursorRow,
  upTo: number,
): Promise<{ number: number; hash: string } | undefined> {
  const row = await db
    .selectFrom('wallet_transfers')
    .select(['block_number', 'block_hash'])
    .where('network', '=', network)
    .where('token_address', '=', token_address)
    .where('block_number', '<=', String(upTo))
    .where('state', 'in', ['pending', 'unassigned'])
    .orderBy('block_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { number: Number(row.block_number), hash: row.block_hash };
}

/** Returns false when no more can be read now. */
async function readNext(reading: Reading, cursor: CursorRow): Promise<boolean> {
  const { db, node, reader, settings, recorded } = reading;
  const next = await reader.blockOutputs(node, Number(cursor.position) + 1);
  // The chain was reorganised between two blocks: the next round notices.
  if (!next || next.block.parent !== cursor.position_hash) return false;
  const { block, outputs } = next;
  const read = { block, readUntil: cursor.read_until.getTime(), clockMs: reader.clockMs };
  const byScript = groupBy(outputs, ({ recipient }) => recipient);
  for (const address of await watchedAddresses(db, cursor.network, [...byScript.keys()])) {
    const transfers = reader.transfersOf(node, block, byScript.get(address.script)!, address);
    for (const made of await recordOutputs(db, address, read, transfers, settings)) recorded(made);
  }
  await PAYMENT_CURSORS.move(db, cursor, block);
  return true;
}

/** After a reorganisation: takes back what no block of the chain has any more. Returns false when the chain is being reorganised again. */
async function forgetAbandoned(reading: Reading, cursor: CursorRow): Promise<boolean> {
  const { db, node, reader, settings } = reading;
  const after = await db
    .selectFrom('wallet_transfers')
    .selectAll()
    .where('network', '=', cursor.network)
    .where('token_address', '=', cursor.token_address)
    .where('block_number', '>', cursor.read_again_after)
    .where('state', 'in', ['pending', 'unassigned'])
    .orderBy('block_number')
    .execute();
  const hashes = new Map<string, string | undefined>();
  for (const transfer of after) {
    const { block_number: number } = transfer;
    await PAYMENT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    if (!hashes.has(number)) {
      const block = await reader.readBlock(node, Number(number));
      // The chain that was read has it.
      if (!block && Number(number) <= Number(cursor.position)) return false;
      hashes.set(number, block?.hash);
    }
    if (hashes.get(number) !== transfer.block_hash) await takeBack(db, transfer, settings);
  }
  await PAYMENT_CURSORS.update(db, cursor, { read_again_after: sql`null` });
  cursor.read_again_after = null;
  return true;
}
