/**
 * Polls the outcome of refunds until it is known: from the provider for cards, from the journal for transactions. Any number of processes
 * may do so at once, and a crash only delays it.
 */
import type { FastifyBaseLogger } from 'fastify';
import { ConnectError } from '../../../src/base/errors.ts';
import { Repeated } from '../../concurrency/repeated.ts';
import { acrossAccounts, inAccount } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import type { RefundRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import type { Effect } from '../../transactions/effects.ts';
import { type StoredTransaction, kinOf, readEntry } from '../../transactions/journal.ts';
import { look } from '../../transactions/sending.ts';
import { askProvider } from './card-refund.ts';
import type { RefundSettings } from './refund-settings.ts';
import { UNKNOWN } from '../wallet-payments/taken-by-refunds.ts';
import { type Outcome, settleRefund } from './settle-refund.ts';

const BATCH = 20;
/** How long a crashed process delays a refund at most. */
const LEASE_MS = 60_000;

export type Following = Pick<
  Service,
  'db' | 'clock' | 'payments' | 'networks' | 'outbound' | 'events' | 'restored'
> & {
  settings: RefundSettings;
};

/** Checks a refund once. */
export async function followUp(following: Following, refund: RefundRow): Promise<void> {
  const { db } = following;
  const outcome =
    refund.method === 'card'
      ? await outcomeAtProvider(following, refund)
      : await outcomeOnChain(following, refund);
  if (outcome) await settleRefund(db, refund, outcome);
}

async function outcomeAtProvider(
  { db, payments }: Following,
  refund: RefundRow,
): Promise<Outcome | undefined> {
  // Only the provider that took the payment knows.
  if (refund.provider !== payments.name) return undefined;
  const session = await db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', refund.session_id)
    .executeTakeFirstOrThrow();
  return askProvider(payments, session, refund, false);
}

async function outcomeOnChain(following: Following, refund: RefundRow): Promise<Outcome | undefined> {
  const entry = await readEntry(following.db, refund.transaction_id!);
  const now = entry.state === 'sent' ? await looked(following, entry) : entry;
  switch (now.state) {
    case 'signed':
    case 'sent':
      return undefined;
    case 'confirmed':
      return { state: 'succeeded', providerRefund: null, reason: null };
    case 'replaced':
      return replacedBy(following.db, refund);
    // No node has it any more, but it may still be mined.
    case 'dropped':
      return { state: 'failed', providerRefund: null, reason: UNKNOWN };
    default:
      return { state: 'failed', providerRefund: null, reason: now.state };
  }
}

async function looked(following: Following, entry: StoredTransaction): Promise<StoredTransaction> {
  try {
    return await look(following.db, following, entry);
  } catch (error) {
    if (error instanceof ConnectError) return entry;
    throw error;
  }
}

/** The shop sped it up or cancelled it: the transaction that was mined instead shows which. */
async function replacedBy(db: Database, refund: RefundRow): Promise<Outcome | undefined> {
  const kin = await kinOf(db, refund.transaction_id!);
  if (kin.some(({ state }) => state === 'signed' || state === 'sent')) return undefined;
  const same = kin.find(({ state, effect }) => state === 'confirmed' && isSame(refund, effect));
  return same
    ? { state: 'succeeded', providerRefund: null, reason: null, transactionId: same.id }
    : { state: 'failed', providerRefund: null, reason: 'replaced' };
}

function isSame({ address, amount, token_address: token }: RefundRow, effect: Effect | null): boolean {
  return (
    effect?.kind === 'transfer' &&
    effect.to?.toLowerCase() === address!.toLowerCase() &&
    effect.amount.raw === amount &&
    (effect.amount.token ?? '').toLowerCase() === token!.toLowerCase()
  );
}

/** Claims refunds that are due. */
async function takeDue(db: Database): Promise<RefundRow[]> {
  return db
    .updateTable('refunds')
    .set((is) => ({ next_look_at: new Date(Date.now() + LEASE_MS), looks: is('looks', '+', 1) }))
    .where('id', 'in', (from) =>
      from
        .selectFrom('refunds')
        .select('id')
        .where('next_look_at', '<=', new Date())
        .orderBy('next_look_at')
        .limit(BATCH)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** Does nothing if it was decided meanwhile. */
async function lookLater(
  db: Database,
  { id, looks, method }: RefundRow,
  settings: RefundSettings,
): Promise<void> {
  const longest = method === 'card' ? settings.longestCardMs : settings.longestWalletMs;
  const wait = Math.min(longest, settings.againMs * 2 ** Math.min(looks, 20));
  await db
    .updateTable('refunds')
    .set({ next_look_at: new Date(Date.now() + wait) })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** Polls until it is stopped. */
export function followRefunds(following: Following, log: FastifyBaseLogger): Repeated {
  const { db, clock, settings } = following;
  const one = async (refund: RefundRow): Promise<void> => {
    await followUp(following, refund).catch((error: unknown) =>
      log.warn({ err: error, refund: refund.id }, 'the outcome of a refund could not be read'),
    );
    await lookLater(db, refund, settings);
  };
  const round = async (isStopped: () => boolean): Promise<void> => {
    await clock.doubt();
    for (const refund of await acrossAccounts('due-refunds', () => takeDue(db)))
      if (!isStopped()) await inAccount(refund.application_id, () => one(refund));
  };
  return new Repeated(
    (isStopped) =>
      round(isStopped).catch((error: unknown) => log.warn({ err: error }, 'refunds could not be checked')),
    settings.everyMs,
  );
}
