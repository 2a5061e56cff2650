/** Settles quotes whose payments have their confirmations. */
import type { ConnectError } from '../../../../src/base/errors.ts';
import type { CursorRow, QuoteRow, TransferRow } from '../../../database/schema.ts';
import { PAYMENT_CURSORS } from '../cursors.ts';
import { readQuote } from '../quote-rows.ts';
import {
  closeElsewhere,
  isPostponed,
  noteConfirmations,
  pendingTransfers,
  settle,
  type Settling,
} from '../settle.ts';
import { groupBy } from './group-by.ts';
import { type Reading, rewind } from './read-blocks.ts';

export interface PostponedSettling extends Settling {
  /** The payment waits for the provider of cards, which does not answer. */
  postponed(error: ConnectError, transfer: TransferRow): void;
}

/** Everything up to the head, of this number, was read. Returns false if the chain turned out to be another one: it is to be read again. */
export async function settleQuotes(
  parts: PostponedSettling,
  reading: Reading,
  cursor: CursorRow,
  head: number,
): Promise<boolean> {
  const { db, settings } = parts;
  const byQuote = groupBy(await pendingTransfers(db, cursor), ({ quote_id }) => quote_id!);
  for (const [id, transfers] of byQuote) {
    if (reading.isStopped()) return true;
    await PAYMENT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    const quote = await readQuote(db, id);
    try {
      if (!(await settleQuote(parts, reading, { cursor, head, quote, transfers }))) return false;
    } catch (error) {
      // The rest of the round goes on without the provider; the next payment would have to wait as long.
      if (!isPostponed(error)) throw error;
      parts.postponed(error, transfers[0]!);
      break;
    }
  }
  return true;
}

interface Due {
  cursor: CursorRow;
  head: number;
  quote: QuoteRow;
  transfers: readonly TransferRow[];
}

async function settleQuote(
  parts: Settling,
  { node, reader, ...reading }: Reading,
  { cursor, head, quote, transfers }: Due,
): Promise<boolean> {
  const { db, payments } = parts;
  // Only the first time, so that the session is not also paid elsewhere while this waits.
  if (transfers.some(({ confirmations }) => confirmations === 0))
    await closeElsewhere(db, payments, quote.session_id);
  for (const transfer of transfers)
    await noteConfirmations(db, transfer, { confirmations: confirmationsOf(transfer, head) });
  const fewest = Math.min(...transfers.map((transfer) => confirmationsOf(transfer, head)));
  if (fewest < quote.confirmations) return true;
  for (const { block_number, block_hash } of transfers) {
    const block = await reader.readBlock(node, Number(block_number));
    if (block?.hash === block_hash) continue;
    await rewind({ node, reader, ...reading }, cursor, Number(block_number));
    return false;
  }
  await settle(parts, transfers, quote);
  return true;
}

function confirmationsOf({ block_number }: TransferRow, head: number): number {
  return Math.max(0, head - Number(block_number) + 1);
}
