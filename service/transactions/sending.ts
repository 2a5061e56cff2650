/**
 * Sends transactions of the journal and follows their status. A transaction that was signed but is not known to be sent, because a
 * process ended or no node answered, is sent when a process starts, when its wallet signs again on its network, and from time to time.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import { loadChain } from '../networks/chains.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { Exclusive } from '../concurrency/exclusive.ts';
import { Repeated } from '../concurrency/repeated.ts';
import { NO_OTHER } from '../../src/chains/nodes/broadcast.ts';
import { stateOn } from '../../src/chains/nodes/confirmations.ts';
import { acrossAccounts, inAccount } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import { gaugeWaiting } from '../http/waiting-gauges.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { Service } from '../service.ts';
import {
  type StoredTransaction,
  isOpen,
  isWaiting,
  lookLater,
  readEntry,
  setMined,
  setSent,
  takeDue,
} from './journal.ts';
import { laneOfEntry } from './lanes.ts';
import { settle, settleRivals } from './settling.ts';

type Nodes = Pick<Service, 'networks' | 'outbound' | 'events' | 'restored'>;

const EVERY_MS = 5_000;
const BATCH = 20;
const BATCH_AT_START = 1000;

async function reach(nodes: Nodes, { secret_type, network, customNode }: StoredTransaction) {
  const home = { secret_type, network: customNode ? null : network };
  return { chain: await loadChain(secret_type), node: await nodeFor(nodes, home, customNode) };
}

/** The network refused it; after other errors it is unknown whether the network has it. */
function isRefusal(error: unknown): error is ConnectError {
  return (
    error instanceof ConnectError &&
    (error.code === 'transaction.refused' || error.code === 'transaction.insufficient-funds')
  );
}

/**
 * Throws the network's refusal, after which the transaction is never sent again, and `node.unreachable` with `details.transactionHash`
 * while its fate is unknown: then it is sent later. One that a node once took is only ended by the chain. `isFirst`: nothing was given to a
 * node before.
 */
export async function send(
  db: Database,
  nodes: Nodes,
  entry: StoredTransaction,
  isFirst = false,
): Promise<void> {
  // Also a read of its status sends it again.
  nodes.restored.requireAccepted();
  try {
    await broadcast(nodes, entry, isFirst);
  } catch (error) {
    const { hash: transactionHash } = entry;
    if (isRefusal(error) && entry.state === 'signed') {
      const { code, shortMessage, details } = error;
      const refusal = new ConnectError(code, shortMessage, { ...details, transactionHash });
      await settle(db, nodes, entry, 'refused', { error: refusal });
      throw refusal;
    }
    if (await isOvertaken(db, nodes, entry)) {
      await settle(db, nodes, entry, 'replaced');
      throw new ConnectError(
        'transaction.refused',
        'Another transaction of the account is in a block in the place of this one.',
        { reason: 'replaced', transactionHash },
      );
    }
    await lookLater(db, entry);
    throw unsent(entry, error);
  }
  await setSent(db, entry);
}

/** False while no node tells. */
async function isOvertaken(db: Database, nodes: Nodes, entry: StoredTransaction): Promise<boolean> {
  const { address } = await db
    .selectFrom('wallets')
    .select('address')
    .where('id', '=', entry.wallet_id)
    .executeTakeFirstOrThrow();
  try {
    const { chain, node } = await reach(nodes, entry);
    return (await chain.isOvertaken?.(entry.hash, { address, claims: entry.claims }, node)) ?? false;
  } catch (error) {
    if (error instanceof ConnectError) return false;
    throw error;
  }
}

async function broadcast(nodes: Nodes, entry: StoredTransaction, isFirst: boolean): Promise<void> {
  const { chain, node } = await reach(nodes, entry);
  await chain.broadcast({ raw: entry.raw, hash: entry.hash, given: !isFirst }, node);
}

function unsent(entry: StoredTransaction, cause: unknown): ConnectError {
  const why =
    cause instanceof ConnectError ? cause.shortMessage.replace(` ${NO_OTHER}`, '') : 'No node answered.';
  return new ConnectError(
    'node.unreachable',
    `The transaction is signed, and will be sent as soon as a node takes it. Do not make another one: ask for its status. ${why}`,
    { ...(cause instanceof ConnectError ? cause.details : {}), transactionHash: entry.hash },
    { cause },
  );
}

/** Reads its status, and sends it again when no node knows it. Returns the updated entry. */
export async function look(db: Database, nodes: Nodes, entry: StoredTransaction): Promise<StoredTransaction> {
  const { chain, node } = await reach(nodes, entry);
  const receipt = await chain.receipt(entry.hash, node, entry.raw);
  const { expired, fee, mined } = receipt;
  const state = stateOn(node.network, receipt);
  if (state === 'confirmed' || state === 'failed') {
    const end = expired ? 'expired' : state;
    await settle(db, nodes, entry, end, { fee });
    if (!expired) await settleRivals(db, nodes, entry);
    return { ...entry, state: end, mined_block: null, confirmations: null };
  }
  if (!isOpen(entry)) return entry;
  if (mined) await setMined(db, entry, mined);
  else await keepAlive(db, nodes, entry, state === 'pending');
  return readEntry(db, entry.id);
}

/** `isKnown`: a node has it, and no block. */
async function keepAlive(
  db: Database,
  nodes: Nodes,
  entry: StoredTransaction,
  isKnown: boolean,
): Promise<void> {
  const now = isWaiting(entry) ? entry : { ...entry, checks: 0 };
  if (isKnown || now !== entry) await setSent(db, entry);
  if (isKnown) return lookLater(db, now);
  try {
    await send(db, nodes, now);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
  }
}

/** Follows open transactions of all processes until it is stopped. */
export function lookAfter(
  service: Nodes & Pick<Service, 'db'>,
  exclusive: Exclusive,
  log: FastifyBaseLogger,
): Repeated {
  const { db } = service;

  async function one(entry: StoredTransaction): Promise<void> {
    try {
      // Waits for a process that is just about to send it.
      if (entry.state === 'signed') {
        const { id } = await laneOfEntry(db, service.networks, entry);
        await exclusive(id, async (held) => {
          const now = await readEntry(held, entry.id);
          if (now.state === 'signed') await send(held, service, now);
        });
      } else await look(db, service, entry);
    } catch (error) {
      log.warn({ err: error, transaction: entry.hash }, 'the status of a transaction could not be checked');
      await lookLater(db, entry).catch(() => {});
    }
  }

  let isFirst = true;
  /** Wallets and their networks in parallel, the transactions of each in order. The first round takes what an earlier process may have left unsent. */
  async function round(isStopped: () => boolean): Promise<void> {
    const unsent = isFirst;
    isFirst = false;
    const lanes = new Map<string, StoredTransaction[]>();
    const due = await acrossAccounts('due-transactions', () =>
      takeDue(db, unsent ? BATCH_AT_START : BATCH, unsent),
    );
    for (const entry of due) {
      const lane = `${entry.wallet_id} ${entry.network}`;
      lanes.set(lane, [...(lanes.get(lane) ?? []), entry]);
    }
    await Promise.all(
      [...lanes.values()].map(async (entries) => {
        for (const entry of entries) if (!isStopped()) await inAccount(entry.owner_id, () => one(entry));
      }),
    );
  }

  return new Repeated(
    (isStopped) =>
      round(isStopped).catch((error: unknown) =>
        log.error({ err: error }, 'open transactions could not be checked'),
      ),
    EVERY_MS,
  );
}

/** Metrics of transactions that are signed but that no node has yet. */
export function gaugeUnsent(register: Registry, db: Database): void {
  gaugeWaiting(
    register,
    db,
    // By the index of open transactions.
    sql`select count(*)::integer as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
      from transactions where next_check_at is not null and state = 'signed'`,
    {
      count: { name: 'transactions_unsent', help: 'Signed transactions that no node is known to have.' },
      oldest: { name: 'transactions_oldest_unsent_age_seconds', help: 'Age of the oldest of them.' },
    },
  );
}
