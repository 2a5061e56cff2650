/**
 * What the outputs to a session's own address pay. Everything that comes in time adds up, in however many outputs and transactions; with the
 * price of a quote it is that quote's payment, and until then it is unassigned for its amount. What comes late or again pays nothing.
 */
import { sql } from 'kysely';
import type { Database } from '../../../database/database.ts';
import type {
  PaymentAddressRow,
  QuoteRow,
  SessionRow,
  SightingRow,
  TransferRow,
} from '../../../database/schema.ts';
import { isTaken } from '../taken-by-refunds.ts';
import { otherAmounts, sumOf } from '../other-amounts.ts';
import { reportUnassigned } from '../payment-report.ts';
import { isEnough } from '../quote-amounts.ts';

type Place = Pick<PaymentAddressRow, 'session_id' | 'network'>;

/** Quotes of the session in coins of this network, newest first: their address is the session's own. */
export function quotesAt(tx: Database, { session_id, network }: Place): Promise<QuoteRow[]> {
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
export function countedTransfers(tx: Database, place: Place): Promise<TransferRow[]> {
  return otherAmounts(tx, { ...place, token_address: '' })
    .where('key_id', 'is not', null)
    .where((is) => is.not(isTaken('wallet_transfers.id')))
    .execute();
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
