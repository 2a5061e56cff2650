/**
 * Sends transactions of the journal and follows their status. A transaction that was signed but is not known to be sent, because a
 * process ended or no node answered, is sent when a process starts, when its wallet signs again, and from time to time.
 */
import type { FastifyBaseLogger } from 'fastify';
import { loadChain } from '../networks/chains.ts';
import { ConnectError } from '../../src/errors.ts';
import type { Exclusive } from '../concurrency/exclusive.ts';
import { NO_OTHER } from '../../src/chains/nodes/broadcast.ts';
import { acrossAccounts, inAccount } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { Service } from '../service.ts';
import { type Entry, isWaiting, lookLater, readEntry, setSent, takeDue } from './journal.ts';
import { settle, settleRivals } from './settling.ts';

type Nodes = Pick<Service, 'networks' | 'outbound' | 'events'>;

const EVERY_MS = 5_000;
const BATCH = 20;
const BATCH_AT_START = 1000;
/** Days after which a transaction is given up that no node knows, or whose node is gone. */
const GIVEN_UP = 14;
/** Checks after which the refusal of a transaction that was once accepted is believed: nodes may be some blocks apart. */
const SURE = 6;

async function reach(nodes: Nodes, { secret_type, network, customNode }: Entry) {
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
 * while its fate is unknown: then it is sent later.
 */
export async function send(db: Database, nodes: Nodes, entry: Entry): Promise<void> {
  try {
    await broadcast(nodes, entry);
  } catch (error) {
    if (!isRefusal(error)) {
      await lookLater(db, entry);
      throw unsent(entry, error);
    }
    const { code, shortMessage, details } = error;
    const refusal = new ConnectError(code, shortMessage, { ...details, transactionHash: entry.hash });
    // A transaction that was accepted once and then forgotten was replaced by another.
    await settle(db, nodes, entry, entry.state === 'sent' ? 'replaced' : 'refused', { error: refusal });
    throw refusal;
  }
  await setSent(db, entry);
}

async function broadcast(nodes: Nodes, entry: Entry): Promise<void> {
  const { chain, node } = await reach(nodes, entry);
  await chain.broadcast({ raw: entry.raw, hash: entry.hash }, node);
}

function unsent(entry: Entry, cause: unknown): ConnectError {
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
export async function look(db: Database, nodes: Nodes, entry: Entry): Promise<Entry> {
  const { chain, node } = await reach(nodes, entry);
  const { state, expired, fee } = await chain.receipt(entry.hash, node, entry.raw);
  if (state === 'confirmed' || state === 'failed') {
    const end = expired ? 'expired' : state;
    await settle(db, nodes, entry, end, { fee });
    if (!expired) await settleRivals(db, nodes, entry);
    return { ...entry, state: end };
  }
  if (!isWaiting(entry)) return entry;
  await keepAlive(db, nodes, entry, state === 'pending');
  return readEntry(db, entry.id);
}

async function keepAlive(db: Database, nodes: Nodes, entry: Entry, isKnown: boolean): Promise<void> {
  try {
    if (isKnown) await setSent(db, entry);
    else if (isGivenUp(entry)) return await settle(db, nodes, entry, 'dropped');
    else if (entry.state === 'signed' || entry.checks >= SURE) return await send(db, nodes, entry);
    else await broadcast(nodes, entry);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
  }
  await lookLater(db, entry);
}

function isGivenUp({ created_at }: Entry): boolean {
  return Date.now() - created_at.getTime() > GIVEN_UP * 86_400_000;
}

export interface Caretaker {
  stop(): Promise<void>;
}

/** Follows open transactions of all processes until it is stopped. */
export function lookAfter(
  service: Nodes & Pick<Service, 'db'>,
  exclusive: Exclusive,
  log: FastifyBaseLogger,
): Caretaker {
  const { db } = service;
  let stopped = false;

  async function one(entry: Entry): Promise<void> {
    try {
      // Waits for a process that is just about to send it.
      if (entry.state === 'signed')
        await exclusive(entry.wallet_id, async (held) => {
          const now = await readEntry(held, entry.id);
          if (now.state === 'signed') await send(held, service, now);
        });
      else await look(db, service, entry);
    } catch (error) {
      log.warn({ err: error, transaction: entry.hash }, 'the status of a transaction could not be checked');
      await (isGivenUp(entry) ? settle(db, service, entry, 'dropped') : lookLater(db, entry)).catch(() => {});
    }
  }

  /** Wallets in parallel, the transactions of each in order. */
  async function round(unsent: boolean): Promise<void> {
    const wallets = new Map<string, Entry[]>();
    const due = await acrossAccounts('due-transactions', () =>
      takeDue(db, unsent ? BATCH_AT_START : BATCH, unsent),
    );
    for (const entry of due) wallets.set(entry.wallet_id, [...(wallets.get(entry.wallet_id) ?? []), entry]);
    await Promise.all(
      [...wallets.values()].map(async (entries) => {
        for (const entry of entries) if (!stopped) await inAccount(entry.owner_id, () => one(entry));
      }),
    );
  }

  let running = Promise.resolve();
  const next = (unsent: boolean): void => {
    running = round(unsent).catch((error: unknown) =>
      log.error({ err: error }, 'open transactions could not be checked'),
    );
    void running.then(() => {
      if (!stopped) timer = setTimeout(next, EVERY_MS, false).unref();
    });
  };
  let timer: NodeJS.Timeout | undefined;
  next(true);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
