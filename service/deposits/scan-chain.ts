/**
 * Reads the blocks of a network one after the other, checks that each follows the one before, and stores their transfers to watched wallets.
 * A deposit is announced with the block that confirms it, in the database transaction that moves the cursor there: so enough blocks have
 * followed its own, and a crash at any point neither loses nor duplicates it. After a reorganisation the cursor goes back to the last
 * common block, and deposits of the abandoned blocks are forgotten.
 */
import { sql } from 'kysely';
import type { Node } from '../../src/chains/terms.ts';
import type { Network, Token } from '../../src/chains/network.ts';
import { nonsense } from '../../src/chains/nodes/http.ts';
import { coinOf } from '../../src/chains/secret-type.ts';
import { payersOn } from '../../src/swaps/cross-chain/entry.ts';
import type { Database } from '../database/database.ts';
import type { ScanCursorRow } from '../database/schema.ts';
import type { Block, BlockReader, BlockTransfers, Transfer } from '../scanning/chains/block-reader.ts';
import { blockReaderOf } from '../scanning/chains/block-readers.ts';
import { Cursors } from '../scanning/cursors.ts';
import type { Service } from '../service.ts';
import { announceDue, forgetAfter, type NewDeposit, storeDeposits } from './announce.ts';
import type { ScanSettings } from './scan-settings.ts';

export const DEPOSIT_CURSORS = new Cursors<ScanCursorRow>('scan_cursors', ['network']);

/** Blocks whose hashes are kept: more than any deposit waits for. After a deeper reorganisation, reading resumes at the oldest of them. */
const KEPT = 256;

/** How imprecise block times of local networks are: they have our clock, in whole seconds. */
const LOCAL_CLOCK_MS = 2_000;

export interface Scanning extends Pick<Service, 'db' | 'networks' | 'events'> {
  settings: ScanSettings;
  /** Whether the process is stopping: it does so between two blocks. */
  isStopped: () => boolean;
  /** Called with the number of blocks that were read and are no longer in the chain. */
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
  await DEPOSIT_CURSORS.update(db, cursor, { head: head.number });
  if (cursor.position === null) await begin(scanning, { cursor, reader, node, head });
  while (Number(cursor.position) < head.number) {
    await DEPOSIT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    if (isStopped() || Date.now() > until) return { everyMs, done: false };
    const next = await reader.readTransfers(
      node,
      Number(cursor.position) + 1,
      payersOn(networks.file, node.network),
    );
    // The node that answers is behind the one that reported the head.
    if (!next) return { everyMs, done: true };
    if (next.block.parent !== cursor.position_hash)
      await goBack(scanning, { cursor, reader, node, from: Number(cursor.position) });
    else if (!(await keep(scanning, { cursor, reader, node, next }))) return { everyMs, done: true };
  }
  // While the new branch is no longer than the blocks that were read, no new block reveals the reorganisation.
  const hash = await hashAt(db, cursor, head.number);
  if (hash !== undefined && hash !== head.hash)
    await goBack(scanning, { cursor, reader, node, from: head.number });
  // A node this far behind is catching up; a local network was restarted.
  else if (hash === undefined && node.network.kind === 'local')
    await begin(scanning, { cursor, reader, node, head });
  return { everyMs, done: true };
}

interface Place {
  cursor: ScanCursorRow;
  reader: BlockReader;
  node: Node;
}

/** Finds the last block before anything was watched. */
async function begin(
  { db, settings }: Scanning,
  { cursor, reader, node, head }: Place & { head: Block },
): Promise<void> {
  const clockMs = node.network.kind === 'local' ? LOCAL_CLOCK_MS : reader.clockMs;
  const since = cursor.since.getTime() - clockMs;
  let at = head;
  for (let step = 1; at.time > since && at.number > 0; step *= 2) {
    await DEPOSIT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    const before = await reader.readBlock(node, Math.max(0, at.number - step));
    if (!before) throw nonsense('a block that its chain must have');
    at = before;
  }
  await db.transaction().execute(async (tx) => {
    await DEPOSIT_CURSORS.move(tx, cursor, at, { block_time: new Date(at.time) });
    await tx.deleteFrom('scanned_blocks').where('network', '=', cursor.network).execute();
    await noteBlock(tx, cursor, at);
  });
}

/** The hash of a block that was read; undefined if it is no longer kept. */
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

/** Goes back to the last block that the chain still has; `from` is the first to compare. */
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
    await DEPOSIT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    const now = await reader.readBlock(node, Number(number));
    if (now?.hash === hash) shared = now;
    if (shared) break;
  }
  // Deeper than the kept hashes.
  shared ??= await reader.readBlock(node, Math.max(0, Number(read.at(-1)?.number ?? from) - 1));
  if (!shared) throw nonsense('a block that its chain must have');
  const back = shared;
  const before = Number(cursor.position);
  await db.transaction().execute(async (tx) => {
    await DEPOSIT_CURSORS.move(tx, cursor, back, { block_time: new Date(back.time) });
    await tx
      .deleteFrom('scanned_blocks')
      .where('network', '=', cursor.network)
      .where('number', '>=', String(back.number))
      .execute();
    await noteBlock(tx, cursor, back);
    await forgetAfter(tx, cursor.network, back.number);
  });
  reorganised(cursor.network, before - back.number);
}

/** Stores the deposits of a block, announces those that it confirms, and moves the cursor to it. False if the node has lost the block. */
async function keep(
  { db, events }: Scanning,
  { cursor, reader, node, next }: Place & { next: BlockTransfers },
): Promise<boolean> {
  const { block } = next;
  const deposits = await depositsIn(db, { reader, node, next });
  if (!deposits) return false;
  await events.with(db, async (tx, notify) => {
    await DEPOSIT_CURSORS.move(tx, cursor, block, { block_time: new Date(block.time) });
    await noteBlock(tx, cursor, block);
    await storeDeposits(tx, node.network, block, deposits);
    await announceDue(tx, notify, node.network, block.number);
    await sql`delete from scanned_blocks where network = ${cursor.network} and number <= ${block.number - KEPT}`.execute(
      tx,
    );
  });
  return true;
}

/** The block's transfers to watched wallets, of which there may be any number. Undefined if the node has lost the block. */
async function depositsIn(
  db: Database,
  { reader, node, next: { block, transfers } }: Omit<Place, 'cursor'> & { next: BlockTransfers },
): Promise<NewDeposit[] | undefined> {
  const { network } = node;
  const unitOf = unitsOn(network, reader);
  const listedTransfers = transfers.filter(({ token }) => unitOf(token));
  const recipients = [...new Set(listedTransfers.map(({ recipient }) => recipient))];
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
  const confirmedTransfers = await reader.carriedOut(
    node,
    block,
    listedTransfers.filter(({ recipient }) => watchers.has(recipient)),
  );
  return confirmedTransfers?.flatMap((transfer) => {
    const { symbol, decimals, address } = unitOf(transfer.token)!;
    const { hash, place, amount, sender } = transfer;
    return watchers.get(transfer.recipient)!.map((wallet) => ({
      ...wallet,
      hash,
      place,
      amount,
      sender: sender === undefined ? null : reader.addressOf(sender, network),
      recipient: reader.addressOf(transfer.recipient, network),
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

/** Only assets that the operator lists: amounts of others mean nothing, and anybody can create a token to flood the outbox. */
function unitsOn(network: Network, reader: BlockReader): (token: Transfer['token']) => Unit | undefined {
  const { tokens } = network;
  let listed = units.get(tokens);
  if (!listed) {
    listed = new Map(tokens.toReversed().map((token) => [reader.keyOf(token.address), token]));
    units.set(tokens, listed);
  }
  return (token) => (token === undefined ? coinOf(network) : listed.get(token));
}
