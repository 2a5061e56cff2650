/**
 * Reads the blocks of a network one after the other, each of which must follow the one before, and keeps what they bring to watched
 * wallets. A deposit is announced with the block that confirms it, in the database transaction that moves the cursor there: so its own
 * block has been followed by as many others as it takes, and a crash at any point neither loses nor doubles it. Where the chain has other
 * blocks than were read, the cursor goes back to the last that they share, and what only the others had is forgotten.
 */
import { sql } from 'kysely';
import type { Node } from '../../src/chains/chain.ts';
import type { Network, Token } from '../../src/chains/network.ts';
import { nonsense } from '../../src/chains/nodes/http.ts';
import { CARDS } from '../../src/chains/secret-type.ts';
import type { Database } from '../database/database.ts';
import type { ScanCursorRow } from '../database/schema.ts';
import type { Block, BlockReader, BlockTransfers, Transfer } from '../scanning/chains/block-reader.ts';
import { blockReaderOf } from '../scanning/chains/block-readers.ts';
import { Cursors } from '../scanning/cursors.ts';
import type { Service } from '../service.ts';
import { announceDue, type NewDeposit, storeDeposits } from './announce.ts';
import type { ScanSettings } from './scan-settings.ts';

export const SCANS = new Cursors<ScanCursorRow>('scan_cursors', ['network']);

/** Blocks whose hashes are kept: more than any deposit waits for. A chain that was rewritten further back is read again from there. */
const KEPT = 256;

/** Of local networks, whose clock is ours, in whole seconds. */
const LOCAL_CLOCK_MS = 2_000;

export interface Scanning extends Pick<Service, 'db' | 'networks' | 'events'> {
  settings: ScanSettings;
  /** Whether the process is stopping: it does so between two blocks. */
  isStopped: () => boolean;
  /** Called with the number of blocks that were read before and are not in the chain any more. */
  reorganised(network: string, blocks: number): void;
}

/** One round. */
export async function scanChain(
  scanning: Scanning,
  cursor: ScanCursorRow,
): Promise<{ everyMs: number; done: boolean }> {
  const { db, networks, settings, isStopped } = scanning;
  const until = Date.now() + settings.roundMs;
  const reader = blockReaderOf(cursor.secret_type);
  const node = await networks.reachBlocks(cursor.secret_type, cursor.network);
  const everyMs = node.network.kind === 'local' ? settings.everyLocalMs : reader.everyMs;
  const head = await reader.readBlock(node, 'latest');
  if (!head) throw nonsense('the newest block');
  await SCANS.update(db, cursor, { head: head.number });
  if (cursor.position === null) await begin(scanning, { cursor, reader, node, head });
  while (Number(cursor.position) < head.number) {
    await SCANS.extendLease(db, cursor, settings.leaseMs);
    if (isStopped() || Date.now() > until) return { everyMs, done: false };
    const next = await reader.readTransfers(node, Number(cursor.position) + 1);
    // The node that answers is behind the one that told the head.
    if (!next) return { everyMs, done: true };
    if (next.block.parent !== cursor.position_hash)
      await goBack(scanning, { cursor, reader, node, from: Number(cursor.position) });
    else if (!(await keep(scanning, { cursor, reader, node, next }))) return { everyMs, done: true };
  }
  // As long as the chain that took over is no longer than what was read, no block of it shows that.
  const known = await hashAt(db, cursor, head.number);
  if (known !== undefined && known !== head.hash)
    await goBack(scanning, { cursor, reader, node, from: head.number });
  // So far behind is a node that catches up; a local network was started anew.
  else if (known === undefined && node.network.kind === 'local')
    await begin(scanning, { cursor, reader, node, head });
  return { everyMs, done: true };
}

interface Place {
  cursor: ScanCursorRow;
  reader: BlockReader;
  node: Node;
}

/** Finds the last block from before anything was watched. */
async function begin(
  { db, settings }: Scanning,
  { cursor, reader, node, head }: Place & { head: Block },
): Promise<void> {
  const clockMs = node.network.kind === 'local' ? LOCAL_CLOCK_MS : reader.clockMs;
  const since = cursor.since.getTime() - clockMs;
  let at = head;
  for (let step = 1; at.time > since && at.number > 0; step *= 2) {
    await SCANS.extendLease(db, cursor, settings.leaseMs);
    const before = await reader.readBlock(node, Math.max(0, at.number - step));
    if (!before) throw nonsense('a block that its chain must have');
    at = before;
  }
  await db.transaction().execute(async (tx) => {
    await SCANS.move(tx, cursor, at, { block_time: new Date(at.time) });
    await tx.deleteFrom('scanned_blocks').where('network', '=', cursor.network).execute();
    await noteBlock(tx, cursor, at);
  });
}

/** Of a block that was read; undefined where that is not known any more. */
async function hashAt(db: Database, { network }: ScanCursorRow, number: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('scanned_blocks')
    .select('hash')
    .where('network', '=', network)
    .where('number', '=', String(number))
    .executeTakeFirst();
  return row?.hash;
}

async function noteBlock(tx: Database, { network }: ScanCursorRow, { number, hash }: Block): Promise<void> {
  await tx.insertInto('scanned_blocks').values({ network, number, hash }).execute();
}

/** To the last block that the chain still has; `from` is the first to be compared. */
async function goBack(
  { db, settings, reorganised }: Scanning,
  { cursor, reader, node, from }: Place & { from: number },
): Promise<void> {
  const read = await db
    .selectFrom('scanned_blocks')
    .select(['number', 'hash'])
    .where('network', '=', cursor.network)
    .where('number', '<=', String(from))
    .orderBy('number', 'desc')
    .execute();
  let shared: Block | undefined;
  for (const { number, hash } of read) {
    await SCANS.extendLease(db, cursor, settings.leaseMs);
    const now = await reader.readBlock(node, Number(number));
    if (now?.hash === hash) shared = now;
    if (shared) break;
  }
  // Deeper than anything that was kept.
  shared ??= await reader.readBlock(node, Math.max(0, Number(read.at(-1)?.number ?? from) - 1));
  if (!shared) throw nonsense('a block that its chain must have');
  const back = shared;
  const before = Number(cursor.position);
  await db.transaction().execute(async (tx) => {
    await SCANS.move(tx, cursor, back, { block_time: new Date(back.time) });
    await tx
      .deleteFrom('scanned_blocks')
      .where('network', '=', cursor.network)
      .where('number', '>=', String(back.number))
      .execute();
    await noteBlock(tx, cursor, back);
    await tx
      .deleteFrom('deposits')
      .where('network', '=', cursor.network)
      .where('block_number', '>', String(back.number))
      .where('announced_at', 'is', null)
      .execute();
  });
  reorganised(cursor.network, before - back.number);
}

/** Keeps what a block brings, announces what it confirms, and moves the cursor to it. False when the node has lost the block. */
async function keep(
  { db, events }: Scanning,
  { cursor, reader, node, next }: Place & { next: BlockTransfers },
): Promise<boolean> {
  const { block } = next;
  const deposits = await depositsIn(db, { reader, node, next });
  if (!deposits) return false;
  await events.with(db, async (tx, tell) => {
    await SCANS.move(tx, cursor, block, { block_time: new Date(block.time) });
    await noteBlock(tx, cursor, block);
    await storeDeposits(tx, node.network, block, deposits);
    await announceDue(tx, tell, node.network, block.number);
    await sql`delete from scanned_blocks where network = ${cursor.network} and number <= ${block.number - KEPT}`.execute(
      tx,
    );
  });
  return true;
}

/** What a block brings to watched wallets, whose number makes no difference. Undefined when the node has lost the block. */
async function depositsIn(
  db: Database,
  { reader, node, next: { block, transfers } }: Omit<Place, 'cursor'> & { next: BlockTransfers },
): Promise<NewDeposit[] | undefined> {
  const { network } = node;
  const unitOf = unitsOn(network, reader);
  const known = transfers.filter(({ token }) => unitOf(token));
  const recipients = [...new Set(known.map(({ recipient }) => recipient))];
  if (recipients.length === 0) return [];
  const watches = await db
    .selectFrom('wallet_watches')
    .select(['wallet_id', 'owner_id', 'recipient'])
    .where('network', '=', network.id)
    .where(sql<boolean>`recipient = any(${recipients}::text[])`)
    .execute();
  if (watches.length === 0) return [];
  const watchers = new Map<string, { walletId: string; ownerId: string }[]>();
  for (const { wallet_id: walletId, owner_id: ownerId, recipient } of watches)
    watchers.set(recipient, [...(watchers.get(recipient) ?? []), { walletId, ownerId }]);
  const found = await reader.carriedOut(
    node,
    block,
    known.filter(({ recipient }) => watchers.has(recipient)),
  );
  return found?.flatMap((transfer) => {
    const { symbol, decimals, address } = unitOf(transfer.token)!;
    const { hash, place, amount, sender } = transfer;
    return watchers.get(transfer.recipient)!.map((wallet) => ({
      ...wallet,
      hash,
      place,
      amount,
      sender: sender === undefined ? null : reader.addressOf(sender, network),
      token: address ?? null,
      symbol,
      decimals,
    }));
  });
}

interface Unit {
  symbol: string;
  decimals: number;
  /** Absent for the coin. */
  address?: string;
}

const units = new WeakMap<readonly Token[], Map<string, Unit>>();

/** What the operator lists: an amount of anything else says nothing, and anybody can make up a token to fill the outbox with. */
function unitsOn(
  { secretType, tokens }: Network,
  reader: BlockReader,
): (token: Transfer['token']) => Unit | undefined {
  let listed = units.get(tokens);
  if (!listed) {
    listed = new Map(tokens.toReversed().map((token) => [reader.keyOf(token.address), token]));
    units.set(tokens, listed);
  }
  return (token) => (token === undefined ? CARDS[secretType].coin : listed.get(token));
}
