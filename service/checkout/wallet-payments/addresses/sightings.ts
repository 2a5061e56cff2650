/**
 * What nodes' memory pools have for sessions' addresses. It never pays: it says when a payment was made, and that it is on its way. What was
 * replaced or spent twice is gone with the next look; when it was seen is remembered a little longer, since a node may have missed it, and
 * for what replaces it with the same amount.
 */
import type { Node } from '../../../../src/chains/terms.ts';
import type { Database } from '../../../database/database.ts';
import type {
  CursorRow,
  PaymentAddressRow,
  QuoteRow,
  SessionRow,
  SightingRow,
} from '../../../database/schema.ts';
import { withSession } from '../../sessions/transitions.ts';
import type { OutputReader, WaitingOutput } from '../chains/utxo-reader.ts';
import { PAYMENT_CURSORS } from '../cursors.ts';
import { refreshSession } from '../hold-session.ts';
import { isEnough } from '../quote-amounts.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';
import { countedTransfers, sightingsAt } from './weigh.ts';
import { sumOf } from '../other-amounts.ts';
import { groupBy } from './group-by.ts';

/** Requests at a time. */
const CONCURRENT = 4;

/** Outputs that are noted for an address, the largest: nobody pays in more, and anybody can send more. */
const MAX_NOTED = 100;

/** Transactions that are asked for by themselves in one look at an address, where a node does not tell all that wait for it. */
const MAX_ASKED = 10;

export interface Looking {
  db: Database;
  node: Node;
  reader: OutputReader;
  settings: WalletPaymentSettings;
  isStopped: () => boolean;
}

/** Looks for payments to the addresses of open sessions, one request for each. Returns false if there was no time for all. */
export async function lookAtPool(looking: Looking, cursor: CursorRow): Promise<boolean> {
  const { db, node, reader, settings, isStopped } = looking;
  const until = Date.now() + settings.roundMs;
  const addresses = await openAddresses(db, cursor);
  if (addresses.length === 0) return true;
  const stored = groupBy(await allSightings(db, cursor), ({ session_id }) => session_id);
  for (let i = 0; i < addresses.length; i += CONCURRENT) {
    if (isStopped() || Date.now() > until) return false;
    await PAYMENT_CURSORS.extendLease(db, cursor, settings.leaseMs);
    const looks = addresses.slice(i, i + CONCURRENT).map(async (address) => {
      const told = await reader.waitingOutputs(node, address.address, address.script);
      if (!told) return;
      const before = (stored.get(address.session_id) ?? []).filter((one) => one.address === address.address);
      const untold = told.isWhole ? [] : await stillWaiting(looking, address, told.outputs, before);
      const waiting = largest([...untold, ...told.outputs]);
      if (waiting.length > 0 || before.length > 0) await noteWaiting(db, address, waiting, settings);
    });
    await Promise.all(looks);
  }
  return true;
}

/** In another order each time, so that each has its turn where there are too many. */
async function openAddresses(
  db: Database,
  { network, token_address }: CursorRow,
): Promise<PaymentAddressRow[]> {
  const rows = await db
    .selectFrom('payment_addresses as address')
    .selectAll()
    .where((is) =>
      is.exists(
        is
          .selectFrom('wallet_quotes as quote')
          .select('quote.id')
          .where('quote.network', '=', network)
          .where('quote.token_address', '=', token_address)
          .where('quote.watched', '=', true)
          .where('quote.state', '=', 'quoted')
          .whereRef('quote.key_id', '=', 'address.key_id')
          .whereRef('quote.session_id', '=', 'address.session_id')
          .where((of) =>
            of.or([
              // What is seen later is not in time.
              of('quote.expires_at', '>', new Date(Date.now())),
              of.exists(
                of
                  .selectFrom('wallet_sightings as sighting')
                  .select('sighting.network')
                  .whereRef('sighting.session_id', '=', 'quote.session_id')
                  .whereRef('sighting.network', '=', 'quote.network'),
              ),
            ]),
          ),
      ),
    )
    .execute();
  const from = Math.floor(Math.random() * rows.length);
  return [...rows.slice(from), ...rows.slice(0, from)];
}

function allSightings(db: Database, { network }: CursorRow): Promise<SightingRow[]> {
  return db.selectFrom('wallet_sightings').selectAll().where('network', '=', network).execute();
}

function largest(outputs: readonly WaitingOutput[]): WaitingOutput[] {
  const byAmount = (one: WaitingOutput, other: WaitingOutput): number =>
    one.amount < other.amount ? 1 : one.amount > other.amount ? -1 : 0;
  return outputs.toSorted(byAmount).slice(0, MAX_NOTED);
}

/** What was seen before and is not among what the node tells, which is not all: the largest are asked for, the others count as they did. */
async function stillWaiting(
  { node, reader }: Looking,
  { address }: PaymentAddressRow,
  told: readonly WaitingOutput[],
  before: readonly SightingRow[],
): Promise<WaitingOutput[]> {
  const untold = before.filter((sighting) => !told.some((output) => isSame(sighting, output)));
  const outputs = largest(
    untold.map(({ transaction_hash, log_index, amount }) => ({
      hash: transaction_hash,
      logIndex: log_index,
      amount: BigInt(amount),
    })),
  );
  const hashes = [...new Set(outputs.map(({ hash }) => hash))].slice(0, MAX_ASKED);
  const gone = new Set<string>();
  for (const hash of hashes) {
    const { state } = await reader.transactionState(node, hash, { token: '', address, amount: 0n });
    if (state === 'unknown') gone.add(hash);
  }
  return outputs.filter(({ hash }) => !gone.has(hash));
}

function isSame(sighting: SightingRow, output: WaitingOutput): boolean {
  return sighting.transaction_hash === output.hash && sighting.log_index === output.logIndex;
}

/** What waits for the address now. */
async function noteWaiting(
  db: Database,
  address: PaymentAddressRow,
  waiting: readonly WaitingOutput[],
  settings: WalletPaymentSettings,
): Promise<void> {
  await withSession(db, 'id', address.session_id, async (tx, session) => {
    const at = Date.now();
    const stored = await sightingsAt(tx, address);
    const missing = stored.filter((sighting) => !waiting.some((output) => isSame(sighting, output)));
    const isNoted = (output: WaitingOutput): boolean =>
      stored.some((sighting) => sighting.missing_since === null && isSame(sighting, output));
    for (const output of waiting) if (!isNoted(output)) await noteOutput(tx, address, output, missing);
    for (const sighting of missing) await noteMissing(tx, sighting, at, settings);
    await followSightings(tx, session!, address, stored);
    await refreshSession(tx, address.session_id, settings);
  });
}

/** What replaces a payment with the same amount is as timely as that. */
async function noteOutput(
  tx: Database,
  { network, application_id, session_id, address }: PaymentAddressRow,
  { hash, logIndex, amount }: WaitingOutput,
  missing: readonly SightingRow[],
): Promise<void> {
  const mined = await tx
    .selectFrom('wallet_transfers')
    .select('id')
    .where('network', '=', network)
    .where('transaction_hash', '=', hash)
    .where('log_index', '=', logIndex)
    .executeTakeFirst();
  // The node is behind.
  if (mined) return;
  const before = missing.find((sighting) => BigInt(sighting.amount) === amount);
  await tx
    .insertInto('wallet_sightings')
    .values({
      network,
      transaction_hash: hash,
      log_index: logIndex,
      application_id,
      session_id,
      address,
      amount: amount.toString(),
      seen_at: before?.seen_at ?? new Date(Date.now()),
      missing_since: null,
    })
    .onConflict((on) =>
      on.columns(['network', 'transaction_hash', 'log_index']).doUpdateSet({ missing_since: null }),
    )
    .execute();
}

async function noteMissing(
  tx: Database,
  { network, transaction_hash, log_index, missing_since }: SightingRow,
  at: number,
  { unknownMs }: WalletPaymentSettings,
): Promise<void> {
  const isGone = missing_since !== null && at - missing_since.getTime() > unknownMs;
  if (isGone)
    await tx
      .deleteFrom('wallet_sightings')
      .where('network', '=', network)
      .where('transaction_hash', '=', transaction_hash)
      .where('log_index', '=', log_index)
      .execute();
  else if (missing_since === null)
    await tx
      .updateTable('wallet_sightings')
      .set({ missing_since: new Date(at) })
      .where('network', '=', network)
      .where('transaction_hash', '=', transaction_hash)
      .where('log_index', '=', log_index)
      .execute();
}

/** The newest waiting quote is under way while what waits pays it; otherwise it waits for its payment again. */
async function followSightings(
  tx: Database,
  session: SessionRow,
  address: PaymentAddressRow,
  before: readonly SightingRow[],
): Promise<void> {
  const quote = await tx
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('session_id', '=', session.id)
    .where('key_id', '=', address.key_id)
    .where('state', '=', 'quoted')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!quote) return;
  const [now, counted] = await Promise.all([sightingsAt(tx, address), countedTransfers(tx, address)]);
  const live = now.filter(
    ({ missing_since, seen_at }) => missing_since === null && seen_at <= quote.expires_at,
  );
  const sum = sumOf(counted);
  const covers = live.length > 0 && isEnough(quote, sum + sumOf(live));
  const told = covers ? live.at(-1)!.transaction_hash : withoutSightings(quote, [...before, ...now]);
  await tx
    .updateTable('wallet_quotes')
    .set({
      told_hash: told,
      ...(covers && { known_at: new Date(Date.now()), problem: null }),
      ...(!covers && told === null && { problem: sum > 0n ? 'amount' : null }),
    })
    .where('id', '=', quote.id)
    .execute();
}

/** The transaction that the page reported, unless it is known that it does not pay the price, or was replaced. */
function withoutSightings({ told_hash }: QuoteRow, sightings: readonly SightingRow[]): string | null {
  return sightings.some(({ transaction_hash }) => transaction_hash === told_hash) ? null : told_hash;
}
