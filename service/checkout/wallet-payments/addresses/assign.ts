/**
 * What the outputs to a session's own address pay. Everything that comes in time adds up, in however many outputs and transactions; with the
 * price of a quote it is that quote's payment, and until then it is unassigned for its amount. What comes late or again pays nothing.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { ReceivedPayment } from '../../../../src/api/receiving-wallet.ts';
import type { Database } from '../../../database/database.ts';
import type {
  PaymentAddressRow,
  QuoteRow,
  SessionRow,
  SightingRow,
  TransferRow,
} from '../../../database/schema.ts';
import type { Block } from '../../../scanning/chains/block-reader.ts';
import { withSession } from '../../sessions/transitions.ts';
import type { ChainTransfer } from '../chains/chain-reader.ts';
import { reportTogether, reportUnassigned } from '../payment-report.ts';
import { refreshSession } from '../hold-session.ts';
import { isEnough } from '../quote-amounts.ts';
import { noteUse } from '../receiving-keys.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';

type Reason = NonNullable<ReceivedPayment['reason']>;
type Place = Pick<PaymentAddressRow, 'session_id' | 'network'>;

/** A block that was read, with what is needed to say whether its transfers come in time. */
export interface ReadBlock {
  block: Block;
  /** Everything that was mined until then had been read before: epoch milliseconds. */
  readUntil: number;
  /** By how many milliseconds its time may be wrong. */
  clockMs: number;
}

/** Quotes of the session in coins of this network, newest first: their address is the session's own. */
function quotesAt(tx: Database, { session_id, network }: Place): Promise<QuoteRow[]> {
  return tx
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('network', '=', network)
    .where('key_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .execute();
}

export function sightingsAt(tx: Database, { session_id, network }: Place): Promise<SightingRow[]> {
  return tx
    .selectFrom('wallet_sightings')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('network', '=', network)
    .orderBy('seen_at')
    .execute();
}

/** Those that count towards the price: in time, not enough so far, and not refunded. Oldest first. */
export function countedTransfers(tx: Database, { session_id, network }: Place): Promise<TransferRow[]> {
  return tx
    .selectFrom('wallet_transfers as transfer')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('network', '=', network)
    .where('key_id', 'is not', null)
    .where('state', '=', 'unassigned')
    .where('reason', '=', 'amount')
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.payment_id', '=', 'transfer.id')
            .where((of) =>
              of.or([of('refunds.state', '<>', 'failed'), of('refunds.failure', '=', 'unknown')]),
            ),
        ),
      ),
    )
    .orderBy('seen_at')
    .orderBy('block_number')
    .orderBy('log_index')
    .execute();
}

export function sumOf(amounts: readonly { amount: string }[]): bigint {
  return amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/**
 * Records the outputs that a block has to the session's address, each once, and what they pay. Returns those that are new, as they are
 * afterwards. An output that is recorded with another block moves to this one.
 */
export function recordOutputs(
  db: Database,
  address: PaymentAddressRow,
  read: ReadBlock,
  transfers: readonly ChainTransfer[],
  settings: WalletPaymentSettings,
): Promise<TransferRow[]> {
  return withSession(db, 'id', address.session_id, async (tx, session) => {
    const quotes = await quotesAt(tx, address);
    const [newest] = quotes;
    // An address is given with a quote.
    if (!newest) return [];
    const sightings = await sightingsAt(tx, address);
    const made: TransferRow[] = [];
    for (const transfer of transfers) {
      if (await moveTo(tx, newest.network, transfer)) continue;
      const seen = sightings.find(
        ({ transaction_hash, log_index }) =>
          transaction_hash === transfer.hash && log_index === transfer.logIndex,
      );
      const reason = reasonOf(session!, quotes, { read, seen, settings }) ?? 'amount';
      made.push(await insert(tx, newest, transfer, reason));
      if (seen) await forget(tx, seen);
    }
    if (made.length === 0) return [];
    await noteUse(tx, address);
    const unpaying = made.filter(({ reason }) => reason !== 'amount');
    for (const together of groupBy(unpaying, (one) => one.transaction_hash).values())
      await reportTogether(tx, session!, newest, together);
    await weigh(tx, session!, address, quotes);
    await refreshSession(tx, session!.id, settings);
    return tx
      .selectFrom('wallet_transfers')
      .selectAll()
      .where(
        'id',
        'in',
        made.map(({ id }) => id),
      )
      .execute();
  });
}

/** The session's lock keeps others from recording it meanwhile. Returns false if it is not recorded yet. */
async function moveTo(
  tx: Database,
  network: string,
  { hash, logIndex, block, blockHash }: ChainTransfer,
): Promise<boolean> {
  const recorded = await tx
    .selectFrom('wallet_transfers')
    .select(['id', 'state', 'block_hash'])
    .where('network', '=', network)
    .where('transaction_hash', '=', hash)
    .where('log_index', '=', logIndex)
    .executeTakeFirst();
  if (recorded && recorded.state !== 'paid' && recorded.block_hash !== blockHash)
    await tx
      .updateTable('wallet_transfers')
      .set({ block_number: block, block_hash: blockHash, confirmations: 0 })
      .where('id', '=', recorded.id)
      .execute();
  return recorded !== undefined;
}

interface Timing {
  read: ReadBlock;
  seen: SightingRow | undefined;
  settings: WalletPaymentSettings;
}

/** Why it does not count; undefined if it does. */
function reasonOf(session: SessionRow, quotes: readonly QuoteRow[], timing: Timing): Reason | undefined {
  if (session.status === 'complete' || quotes.some(({ state }) => state === 'paid' || state === 'pending'))
    return 'complete';
  if (!quotes.some((quote) => isInTime(quote, timing))) return 'late';
  return session.status === 'expired' ? 'expired' : undefined;
}

/** Mined soon after the price's end, or seen before it and mined within a day. */
function isInTime({ state, expires_at }: QuoteRow, { read, seen, settings }: Timing): boolean {
  if (state !== 'quoted') return false;
  const end = expires_at.getTime();
  if (read.readUntil < end + settings.graceMs) return true;
  if (!seen || seen.seen_at.getTime() > end) return false;
  return read.block.time <= seen.seen_at.getTime() + settings.seenMs + read.clockMs;
}

function insert(
  tx: Database,
  { id, session_id, application_id, network, token_address, symbol, decimals, key_id }: QuoteRow,
  { to, sender, amount, hash, logIndex, block, blockHash }: ChainTransfer,
  reason: Reason,
): Promise<TransferRow> {
  return tx
    .insertInto('wallet_transfers')
    .values({
      id: `pi_${randomBytes(12).toString('hex')}`,
      application_id,
      quote_id: id,
      session_id,
      network,
      token_address,
      symbol,
      decimals,
      key_id,
      address: to,
      sender,
      amount: amount.toString(),
      transaction_hash: hash,
      log_index: logIndex,
      block_number: block,
      block_hash: blockHash,
      state: 'unassigned',
      reason,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function forget(tx: Database, { network, transaction_hash, log_index }: SightingRow): Promise<unknown> {
  return tx
    .deleteFrom('wallet_sightings')
    .where('network', '=', network)
    .where('transaction_hash', '=', transaction_hash)
    .where('log_index', '=', log_index)
    .execute();
}

export function groupBy<T, K>(list: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** Makes what counts the payment of the newest quote that it pays, within its tolerance; else says how much is missing. */
export async function weigh(
  tx: Database,
  session: SessionRow,
  place: Place,
  quotes: readonly QuoteRow[],
): Promise<void> {
  const waiting = quotes.filter(({ state }) => state === 'quoted');
  const [newest] = waiting;
  if (!newest || quotes.some(({ state }) => state === 'pending' || state === 'paid')) return;
  const counted = await countedTransfers(tx, place);
  const sum = sumOf(counted);
  const paidQuote = session.status === 'open' && sum > 0n ? quotePaidBy(sum, waiting) : undefined;
  const ids = counted.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .updateTable('wallet_transfers')
      .set({ quote_id: (paidQuote ?? newest).id, ...(paidQuote && { state: 'pending', reason: null }) })
      .where('id', 'in', ids)
      .execute();
  await tx
    .updateTable('wallet_quotes')
    .set(
      paidQuote
        ? { state: 'pending', problem: null }
        : {
            problem: sum > 0n ? 'amount' : sql<string | null>`nullif(problem, 'amount')`,
          },
    )
    .where('id', '=', (paidQuote ?? newest).id)
    .execute();
  const last = counted.at(-1);
  if (last && !paidQuote) await reportUnassigned(tx, session, newest, last);
}

/** What pays one quote in full is not taken for less than another one asks for. */
function quotePaidBy(sum: bigint, waiting: readonly QuoteRow[]): QuoteRow | undefined {
  return waiting.find(({ amount }) => BigInt(amount) <= sum) ?? waiting.find((quote) => isEnough(quote, sum));
}

/** The same after a new quote, whose price may be lower. */
export async function weighAgain(tx: Database, session: SessionRow, place: Place): Promise<void> {
  await weigh(tx, session, place, await quotesAt(tx, place));
}

/**
 * A reorganisation removed its block, and no other has it: if it counted, it is in time again when it comes back, and what is left is weighed
 * anew. One that is being refunded is kept: found again, it would be a new one, which could be refunded again.
 */
export function takeBack(
  db: Database,
  transfer: TransferRow,
  settings: WalletPaymentSettings,
): Promise<boolean> {
  const { id, session_id, network, quote_id, block_hash } = transfer;
  return withSession(db, 'id', session_id!, async (tx, session) => {
    const gone = await tx
      .deleteFrom('wallet_transfers')
      .where('id', '=', id)
      .where('state', 'in', ['pending', 'unassigned'])
      // It was not found in another block meanwhile.
      .where('block_hash', '=', block_hash)
      .where((is) =>
        is.not(is.exists(is.selectFrom('refunds').select('refunds.id').where('payment_id', '=', id))),
      )
      .returningAll()
      .executeTakeFirst();
    if (!gone) return false;
    const place = { session_id: session_id!, network };
    if (gone.state === 'pending') {
      await tx
        .updateTable('wallet_transfers')
        .set({ state: 'unassigned', reason: 'amount' })
        .where('quote_id', '=', quote_id)
        .where('state', '=', 'pending')
        .execute();
      await tx
        .updateTable('wallet_quotes')
        .set({ state: 'quoted', problem: null })
        .where('id', '=', quote_id)
        .execute();
    }
    if (gone.state === 'pending' || gone.reason === 'amount') await seeAgain(tx, gone, settings);
    await weighAgain(tx, session!, place);
    await refreshSession(tx, session!.id, settings);
    return true;
  });
}

/** As timely as its first block was. */
async function seeAgain(
  tx: Database,
  {
    network,
    transaction_hash,
    log_index,
    application_id,
    session_id,
    address,
    amount,
    seen_at,
    quote_id,
  }: TransferRow,
  { seenMs }: WalletPaymentSettings,
): Promise<void> {
  const { expires_at } = await tx
    .selectFrom('wallet_quotes')
    .select('expires_at')
    .where('id', '=', quote_id)
    .executeTakeFirstOrThrow();
  const seenAt = Math.max(Math.min(seen_at.getTime(), expires_at.getTime()), Date.now() - seenMs);
  await tx
    .insertInto('wallet_sightings')
    .values({
      network,
      transaction_hash,
      log_index,
      application_id,
      session_id: session_id!,
      address,
      amount,
      seen_at: new Date(seenAt),
      missing_since: null,
    })
    .onConflict((on) => on.doNothing())
    .execute();
}
