/** Reads blocks from a cursor's position to the head. A crash at any point loses nothing that was recorded. */
import type { Node } from '../../../src/chains/terms.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import type { Database } from '../../database/database.ts';
import type { CursorRow, TransferRow } from '../../database/schema.ts';
import { rpcOf } from '../../../src/chains/evm/json-rpc.ts';
import { rpcErrorIn } from '../../../src/chains/evm/rpc-error.ts';
import type { Block } from '../../scanning/chains/block-reader.ts';
import type { ChainReader, ChainTransfer } from './chains/chain-reader.ts';
import { readerOf } from './chains/reader-of.ts';
import { isBehind, PAYMENT_CURSORS } from './cursors.ts';
import { forgetUnassigned, record } from './received.ts';
import { watchedQuotes } from './quote-rows.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

/** Maximum number of blocks in one query of logs: nodes refuse long ranges, each with a limit of its own. */
const RANGE = 500;
/** Addresses in one query. */
const ADDRESSES = 200;
/** Blocks that are read again each time: a node in a group may be behind the one that reported the head. */
const OVERLAP = 5;
/** How far back a reorganised chain is read again: deeper blocks are final on the chains that are read here. */
const REWIND = 64;

export interface Reading {
  db: Database;
  node: Node;
  settings: WalletPaymentSettings;
  /** Whether the process is stopping: it does so between two blocks. */
  isStopped: () => boolean;
  recorded(transfer: TransferRow): void;
}

interface Advance {
  head: Block;
  /** Everything up to the head was read; otherwise there is more to do at once. */
  done: boolean;
}

/** Undefined when the node is behind what was read before. */
export async function advanceCursor(reading: Reading, cursor: CursorRow): Promise<Advance | undefined> {
  const { db, node, settings, isStopped } = reading;
  const until = Date.now() + settings.roundMs;
  const addresses = await watchedAddresses(db, cursor);
  const reader = readerOf(cursor.secret_type);
  const head = await reader.readBlock(node, 'latest');
  if (!head) return undefined;
  if (isBehind(head, cursor)) return undefined;
  const position = Number(cursor.position);
  const last = head.number < position ? undefined : await reader.readBlock(node, position);
  if (last?.hash !== cursor.position_hash) {
    await readAgain(db, node, cursor, head.number);
    return { head, done: false };
  }
  if (addresses.length === 0) {
    await PAYMENT_CURSORS.move(db, cursor, head);
    return { head, done: true };
  }
  const read = cursor.token_address !== '' && reader.tokenTransfers ? readRange : readNext;
  while (Number(cursor.position) < head.number) {
    await PAYMENT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    if (isStopped() || Date.now() > until || !(await read(reading, cursor, addresses, head)))
      return { head, done: false };
  }
  return { head, done: true };
}

async function watchedAddresses(db: Database, cursor: CursorRow): Promise<string[]> {
  const rows = await watchedQuotes(db, cursor).select('address').distinct().execute();
  return rows.map(({ address }) => address);
}

/** Moves the cursor back, to as far before this block as chains are reorganised. Throws when the node does not have that block. */
export async function readAgain(db: Database, node: Node, cursor: CursorRow, from: number): Promise<void> {
  const to = Math.max(0, Math.min(from, Number(cursor.position)) - REWIND);
  const back = await readerOf(cursor.secret_type).readBlock(node, to);
  if (!back) throw nonsense('a block that its chain must have');
  await PAYMENT_CURSORS.move(db, cursor, back);
  await forgetUnassigned(db, cursor, back.number);
}

/** Returns false when no more can be read now. */
type Read = (
  reading: Reading,
  cursor: CursorRow,
  addresses: readonly string[],
  head: Block,
) => Promise<boolean>;

const readNext: Read = async (reading, cursor, addresses) => {
  const { blockTransfers } = readerOf(cursor.secret_type);
  const next = await blockTransfers(
    reading.node,
    Number(cursor.position) + 1,
    cursor.token_address,
    addresses,
  );
  // The chain was reorganised between two blocks: the next round notices.
  if (!next || next.block.parent !== cursor.position_hash) return false;
  await keep(reading, cursor, next.transfers);
  await PAYMENT_CURSORS.move(reading.db, cursor, next.block);
  return true;
};

const readRange: Read = async (reading, cursor, addresses, head) => {
  const { node, db } = reading;
  const { readBlock, tokenTransfers } = readerOf(cursor.secret_type) as Required<ChainReader>;
  const position = Number(cursor.position);
  for (let length = Math.min(RANGE, head.number - position); ; length = Math.floor(length / 2)) {
    const to = position + length;
    const before = to === head.number ? head : await readBlock(node, to);
    if (!before) return false;
    try {
      const range = { from: Math.max(0, position + 1 - OVERLAP), to };
      const parts = Array.from({ length: Math.ceil(addresses.length / ADDRESSES) }, (_, i) =>
        addresses.slice(i * ADDRESSES, (i + 1) * ADDRESSES),
      );
      // The node that has the block answers for its logs, too.
      const [after, ...transfers] = await rpcOf(node).fromOneNode(() =>
        Promise.all([
          readBlock(node, to),
          ...parts.map((part) => tokenTransfers(node, cursor.token_address, part, range)),
        ]),
      );
      if (after?.hash !== before.hash) return false;
      await keep(reading, cursor, transfers.flat());
      await PAYMENT_CURSORS.move(db, cursor, after);
      return true;
    } catch (error) {
      // Each node has its own code for a range that is too long.
      if (!rpcErrorIn(error) || length <= 1) throw error;
    }
  }
};

async function keep(
  { db, settings, recorded }: Reading,
  cursor: CursorRow,
  transfers: readonly ChainTransfer[],
): Promise<void> {
  for (const each of transfers) {
    const made = await record(db, cursor, each, settings);
    if (made) recorded(made);
  }
}
