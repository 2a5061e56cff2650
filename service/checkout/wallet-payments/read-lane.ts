/** Reads a lane's blocks from where it was left to the head. What was read and written down is not lost by an end at any point. */
import type { Node } from '../../../src/chains/chain.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import type { Database } from '../../database/database.ts';
import type { LaneRow, TransferRow } from '../../database/schema.ts';
import { RpcError } from '../../../src/chains/evm/json-rpc.ts';
import { type Block, type ChainReader, readerOf, type Seen } from './chain-reader.ts';
import { keepLane, moveTo } from './lanes.ts';
import { forgetUnassigned, record } from './received.ts';
import type { WalletPaymentSettings } from './settings.ts';

/** Blocks of one question about logs, at most: nodes refuse long ranges, each at a length of its own. */
const RANGE = 500;
/** Addresses of one question. */
const ADDRESSES = 200;
/** Read again each time: a node in a group may be behind the one that told the head. */
const OVERLAP = 5;
/** How far back a rewritten chain is read again: what lies deeper is final on the chains that are read here. */
const REWIND = 64;
/** A head that is so little behind is another node's of the same group. */
const BEHIND = 3;

export interface Reading {
  db: Database;
  node: Node;
  settings: WalletPaymentSettings;
  /** Of the process: it stops between two blocks. */
  isStopped: () => boolean;
  recorded(transfer: TransferRow): void;
}

export interface ReadLane {
  head: Block;
  /** Everything up to the head was read; else there is more to do at once. */
  done: boolean;
}

/** Undefined where the node is behind what was read before. */
export async function readLane(reading: Reading, lane: LaneRow): Promise<ReadLane | undefined> {
  const { db, node, settings, isStopped } = reading;
  const until = Date.now() + settings.roundMs;
  const addresses = await watchedAddresses(db, lane);
  const reader = readerOf(lane.secret_type);
  const head = await reader.readBlock(node, 'latest');
  if (!head) return undefined;
  const position = Number(lane.position);
  if (head.number < position && position - head.number <= BEHIND) return undefined;
  const last = head.number < position ? undefined : await reader.readBlock(node, position);
  if (last?.hash !== lane.position_hash) {
    await readAgain(db, node, lane, head.number);
    return { head, done: false };
  }
  if (addresses.length === 0) {
    await moveTo(db, lane, head);
    return { head, done: true };
  }
  const read = lane.token_address !== '' && reader.tokenTransfers ? readRange : readNext;
  while (Number(lane.position) < head.number) {
    await keepLane(db, lane, settings.leaseMs);
    if (isStopped() || Date.now() > until || !(await read(reading, lane, addresses, head)))
      return { head, done: false };
  }
  return { head, done: true };
}

async function watchedAddresses(db: Database, lane: LaneRow): Promise<string[]> {
  const rows = await db
    .selectFrom('wallet_quotes')
    .select('address')
    .distinct()
    .where('network', '=', lane.network)
    .where('token_address', '=', lane.token_address)
    .where('watched', '=', true)
    .execute();
  return rows.map(({ address }) => address);
}

/** Goes back on a lane that is further than this block, by as much as chains are rewritten. Throws where the node does not have it. */
export async function readAgain(db: Database, node: Node, lane: LaneRow, from: number): Promise<void> {
  const to = Math.max(0, Math.min(from, Number(lane.position)) - REWIND);
  const back = await readerOf(lane.secret_type).readBlock(node, to);
  if (!back) throw nonsense('a block that its chain must have');
  await moveTo(db, lane, back);
  await forgetUnassigned(db, lane, back.number);
}

/** Answers false where no more can be read now. */
type Read = (reading: Reading, lane: LaneRow, addresses: readonly string[], head: Block) => Promise<boolean>;

const readNext: Read = async (reading, lane, addresses) => {
  const { blockTransfers } = readerOf(lane.secret_type);
  const found = await blockTransfers(reading.node, Number(lane.position) + 1, lane.token_address, addresses);
  // Rewritten between two blocks: the next round sees that.
  if (!found || found.block.parent !== lane.position_hash) return false;
  await keep(reading, lane, found.seen);
  await moveTo(reading.db, lane, found.block);
  return true;
};

const readRange: Read = async (reading, lane, addresses, head) => {
  const { node, db } = reading;
  const { readBlock, tokenTransfers } = readerOf(lane.secret_type) as Required<ChainReader>;
  const position = Number(lane.position);
  for (let length = Math.min(RANGE, head.number - position); ; length = Math.floor(length / 2)) {
    const to = position + length;
    const before = to === head.number ? head : await readBlock(node, to);
    if (!before) return false;
    try {
      const range = { from: Math.max(0, position + 1 - OVERLAP), to };
      const parts = Array.from({ length: Math.ceil(addresses.length / ADDRESSES) }, (_, i) =>
        addresses.slice(i * ADDRESSES, (i + 1) * ADDRESSES),
      );
      // They travel together: the node that has the block answers for its logs, too.
      const [after, ...seen] = await Promise.all([
        readBlock(node, to),
        ...parts.map((part) => tokenTransfers(node, lane.token_address, part, range)),
      ]);
      if (after?.hash !== before.hash) return false;
      await keep(reading, lane, seen.flat());
      await moveTo(db, lane, after);
      return true;
    } catch (error) {
      if (!(error instanceof RpcError) || length <= 1) throw error;
    }
  }
};

async function keep(
  { db, settings, recorded }: Reading,
  lane: LaneRow,
  seen: readonly Seen[],
): Promise<void> {
  for (const each of seen) {
    const made = await record(db, lane, each, settings);
    if (made) recorded(made);
  }
}
