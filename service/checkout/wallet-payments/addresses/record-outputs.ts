/** Records the outputs to a session's own address that blocks have, and whether they come in time. */
import { randomBytes } from 'node:crypto';
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
import { reportTogether } from '../payment-report.ts';
import { refreshSession } from '../hold-session.ts';
import { noteUse } from './take-address.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';
import { groupBy } from './group-by.ts';
import { quotesAt, sightingsAt, weigh } from './weigh.ts';

type Reason = NonNullable<ReceivedPayment['reason']>;

/** Outputs of less than a hundredth of the price that are recorded of a session: nobody pays in so many, and anybody can send them. */
const MAX_SMALL = 100;

/** A block that was read, with what is needed to say whether its transfers come in time. */
export interface ReadBlock {
  block: Block;
  /** Everything that was mined until then had been read before: epoch milliseconds. */
  readUntil: number;
  /** By how many milliseconds its time may be wrong. */
  clockMs: number;
}

/**
 * Records the outputs that a block has to the session's address, each once, and what they pay, but no more small ones than `MAX_SMALL`.
 * Returns those that are new, as they are afterwards. An output that is recorded with another block moves to this one.
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
    const recorded = await recordedAt(tx, address);
    const isSmall = smallOf(quotes);
    let small = [...recorded.values()].filter(({ amount }) => isSmall(BigInt(amount))).length;
    const made: TransferRow[] = [];
    for (const transfer of transfers) {
      const before = recorded.get(placeOf(transfer.hash, transfer.logIndex));
      if (before) await moveTo(tx, before, transfer);
      if (before || (isSmall(transfer.amount) && small++ >= MAX_SMALL)) continue;
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

const placeOf = (hash: string, logIndex: number): string => `${hash}:${logIndex}`;

/** What the session's address has got, by its place. The session's lock keeps others from recording more meanwhile. */
async function recordedAt(
  tx: Database,
  { network, session_id }: PaymentAddressRow,
): Promise<Map<string, TransferRow>> {
  const rows = await tx
    .selectFrom('wallet_transfers')
    .selectAll()
    .where('network', '=', network)
    .where('session_id', '=', session_id)
    .where('key_id', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [placeOf(row.transaction_hash, row.log_index), row]));
}

/** Of the lowest price. */
function smallOf(quotes: readonly QuoteRow[]): (amount: bigint) => boolean {
  const prices = quotes.map(({ amount }) => BigInt(amount));
  const lowest = prices.reduce((least, price) => (price < least ? price : least));
  return (amount) => amount * 100n < lowest;
}

async function moveTo(
  tx: Database,
  { id, state, block_hash }: TransferRow,
  { block, blockHash }: ChainTransfer,
): Promise<void> {
  if (state === 'paid' || block_hash === blockHash) return;
  await tx
    .updateTable('wallet_transfers')
    .set({ block_number: block, block_hash: blockHash, confirmations: 0 })
    .where('id', '=', id)
    .execute();
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
