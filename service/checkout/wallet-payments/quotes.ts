/** Quotes of sessions: the amount to pay, the wallet to pay it to, and the time limit. */
import { randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { ChosenAsset, WalletPayment } from '../../../src/api/pay.ts';
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { decode58 } from '../../../src/chains/aeternity/encoding.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { CARDS, CHAIN_NAMES } from '../../../src/chains/secret-type.ts';
import type { Database } from '../../database/database.ts';
import type { PaymentAddressRow, QuoteRow, ReceivingWalletEntry, SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import type { NodeQueries } from '../../concurrency/node-queries.ts';
import { notOpen, requireTriesLeft } from '../sessions/session-errors.ts';
import { requireOpen, withSession } from '../sessions/transitions.ts';
import { countedTransfers, sightingsAt, sumOf, weighAgain } from './addresses/assign.ts';
import { type Amounts, amountsFor } from './quote-amounts.ts';
import { refreshSession } from './hold-session.ts';
import type { Block } from '../../scanning/chains/block-reader.ts';
import { outputReaderOf, readerOf } from './chains/reader-of.ts';
import { openCursor } from './cursors.ts';
import { type Offer, offersFor, unavailable } from './offer.ts';
import { nodesAway, noPrice } from '../../prices/no-price.ts';
import type { PriceBasis, PriceQuestion } from '../../prices/price-source.ts';
import { type Price, priceOf } from '../../prices/prices.ts';
import { confirmationsFor } from './confirmations.ts';
import { admitClient, hasKey, takeAddress } from './receiving-keys.ts';
import { isSameAsset } from './receiving-wallets.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';
import { signedOrder } from './signed-order.ts';

/** Random amounts that are tried before amounts in order. */
const RANDOM_TRIES = 12;
const ORDERED_TRIES = 60;

export interface Quoting extends Pick<Service, 'db' | 'config' | 'networks' | 'keys' | 'limits'> {
  queries: NodeQueries;
  settings: WalletPaymentSettings;
  /** Counts prices that were asked for: `given`, or why there was none. */
  priced(network: string, result: string): void;
}

/**
 * The quote for the chosen coin or token while it is valid, else a new one, for the customer at the IP address `client`. While a payment is
 * in progress, its quote. Throws `checkout.session.*`, `checkout.wallet.unavailable`, `checkout.wallet.no-price`, `request.rate-limited`.
 */
export async function quote(
  parts: Quoting,
  session: SessionRow,
  { network, tokenAddress = '' }: ChosenAsset = {},
  client?: string,
): Promise<WalletPayment> {
  const { db, networks, queries, settings } = parts;
  requireOpen(session);
  const offers = await offersFor(parts, session);
  const offer =
    network === undefined
      ? currentOffer(offers, await currentQuote(db, session.id))
      : offers.find(({ wallet }) => isSameAsset(wallet, { network, token_address: tokenAddress }));
  const standing = await standingQuote(db, session, offer);
  if (standing) return describePayment(db, standing);
  if (!offer) throw unavailable();
  requireTime(session);
  const reach = await networks.reach(offer.wallet.secret_type, offer.network.id);
  let basis: PriceBasis | null = null;
  const price = await countedPrice(parts, offer.price, {
    network: offer.network,
    secretType: offer.wallet.secret_type,
    token: offer.wallet.token_address,
    decimals: offer.asset.decimals,
    currency: session.currency,
    minorUnits: BigInt(session.amount_total),
    reach,
    queries,
    note(given) {
      basis = given;
    },
  });
  const { readBlock } = readerOf(offer.wallet.secret_type);
  const head = await readBlock(reach.node, 'latest').catch((error: unknown) => {
    throw nodesAway(error);
  });
  if (!head) throw nodesAway(new Error('no newest block'));
  // Before the transaction, which has a connection already.
  if (hasKey(offer.wallet)) await admitClient(parts, { session, wallet: offer.wallet, client });
  return withSession(db, 'id', session.id, async (tx, current) => {
    const now = current!;
    requireOpen(now);
    // Of two concurrent requests the second finds the first one's quote.
    const other = await standingQuote(tx, now, offer);
    if (other) return describePayment(tx, other);
    requireTime(now);
    requireTriesLeft(now, await countQuotes(tx, now.id), 'quotes');
    const { wallet } = offer;
    const own = hasKey(wallet) ? await takeAddress(parts, tx, { session: now, wallet }) : undefined;
    const amounts = own ? exactly(price, wallet, own) : amountsFor(price, BigInt(now.amount_total));
    const made = await insert(tx, now, offer, { amounts, head, basis, own }, settings);
    await openCursor(tx, made, head);
    if (own) await weighAgain(tx, now, own);
    await refreshSession(tx, now.id, settings);
    return describePayment(tx, made);
  });
}

async function countedPrice({ priced }: Quoting, from: Price, question: PriceQuestion): Promise<bigint> {
  try {
    const price = await priceOf(from, question);
    priced(question.network.id, 'given');
    return price;
  } catch (error) {
    const reason = error instanceof ConnectError ? error.details['reason'] : undefined;
    priced(question.network.id, typeof reason === 'string' ? reason : 'error');
    throw error;
  }
}

/** The address identifies the payment. Throws `checkout.wallet.unavailable` for less than nodes relay to it. */
function exactly(
  price: bigint,
  { secret_type }: ReceivingWalletEntry,
  { script }: PaymentAddressRow,
): Amounts {
  if (price < outputReaderOf(secret_type)!.leastAmount(script)) throw unavailable();
  return { first: price, step: 1n, count: 1n };
}

/** Quotes of a session: each takes up an amount for days. */
async function countQuotes(tx: Database, sessionId: string): Promise<number> {
  const { made } = await tx
    .selectFrom('wallet_quotes')
    .select((is) => is.fn.countAll<string>().as('made'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return Number(made);
}

/** A session may be held open for an earlier quote; that gives no time for a new one. */
function requireTime(session: SessionRow): void {
  if (session.expires_at.getTime() <= Date.now()) throw notOpen(session);
}

/** The offer that the session's newest quote is of, else the shop's first. */
export function currentOffer(offers: readonly Offer[], quoted: QuoteRow | undefined): Offer | undefined {
  return offers.find(({ wallet }) => quoted && isSameAsset(wallet, quoted)) ?? offers[0];
}

/** A quote that is paid or in progress, or one that is valid and goes to the receiving wallet of the offer, which is now chosen. */
async function standingQuote(
  db: Database,
  session: SessionRow,
  offer: Offer | undefined,
): Promise<QuoteRow | undefined> {
  const quoted = await currentQuote(db, session.id);
  if (!quoted) return undefined;
  if (quoted.state === 'paid' || isUnderWay(quoted)) return quoted;
  if (!offer) return undefined;
  const { network, token_address, address } = offer.wallet;
  const valid = await db
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('session_id', '=', session.id)
    .where('network', '=', network)
    .where('token_address', '=', token_address)
    .where((is) => (hasKey(offer.wallet) ? is('key_id', 'is not', null) : is('address', '=', address)))
    .where('state', '=', 'quoted')
    .where('expires_at', '>', new Date())
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (valid && valid.id !== quoted.id)
    await db.updateTable('wallet_quotes').set({ chosen_at: new Date() }).where('id', '=', valid.id).execute();
  return valid;
}

/** Whether the quote goes to the current receiving wallet. A session keeps the address of its own, whatever key is set afterwards. */
export function isFor(quoted: QuoteRow, { wallet }: Offer): boolean {
  if (hasKey(wallet)) return quoted.network === wallet.network && quoted.key_id !== null;
  return (['network', 'token_address', 'address'] as const).every((field) => quoted[field] === wallet[field]);
}

/** Blocks have its payment, or payments that add up to it, or its page reported a transaction that is not known to be wrong. */
export function isUnderWay({ state, enough, told_hash, problem }: QuoteRow): boolean {
  return state === 'pending' || (state === 'quoted' && (enough || (told_hash !== null && problem === null)));
}

/** The one that is paid or being paid, else the one that the customer chose last. */
export async function currentQuote(db: Database, sessionId: string): Promise<QuoteRow | undefined> {
  return db
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy(
      sql`case when state = 'paid' then 0 when state = 'pending' then 1
        when state = 'quoted' and (enough or (told_hash is not null and problem is null)) then 2 else 3 end`,
    )
    .orderBy((is) => is.fn.coalesce('chosen_at', 'created_at'), 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface Priced {
  amounts: Amounts;
  head: Block;
  basis: PriceBasis | null;
  /** The session's own address, which identifies its payments whatever their amount. */
  own: PaymentAddressRow | undefined;
}

/** Inserts a quote with an amount that no other quote of the wallet has, unless the address is its session's own. Throws `checkout.wallet.no-price` when all are taken. */
async function insert(
  tx: Database,
  session: SessionRow,
  { wallet, asset }: Offer,
  { amounts: { first, step, count }, head, basis, own }: Priced,
  { quoteMs, leastQuoteMs }: WalletPaymentSettings,
): Promise<QuoteRow> {
  const at = Date.now();
  const end = Math.max(Math.min(at + quoteMs, session.expires_at.getTime()), at + leastQuoteMs);
  for (const tail of tails(count)) {
    const made = await tx
      .insertInto('wallet_quotes')
      .values({
        id: `wq_${randomBytes(12).toString('hex')}`,
        session_id: session.id,
        application_id: session.application_id,
        secret_type: wallet.secret_type,
        network: wallet.network,
        token_address: wallet.token_address,
        symbol: asset.symbol,
        decimals: asset.decimals,
        address: own?.address ?? wallet.address,
        key_id: own?.key_id ?? null,
        reserved: !own,
        amount: (first + tail * step).toString(),
        confirmations: confirmationsFor(wallet, session),
        tolerance: wallet.tolerance,
        price_basis: basis && JSON.stringify(basis),
        state: 'quoted',
        from_block: head.number,
        created_at: new Date(at),
        expires_at: new Date(Math.min(end, at + quoteMs)),
      })
      .onConflict((on) =>
        on
          .columns(['network', 'token_address', 'address', 'amount'])
          .where('reserved', '=', sql<boolean>`true`)
          .doNothing(),
      )
      .returningAll()
      .executeTakeFirst();
    if (made) return made;
  }
  throw noPrice(
    'busy',
    'Too many payments of this amount are open at the moment. Pay in another way, or try again later.',
  );
}

function* tails(count: bigint): Generator<bigint> {
  // The limit of `randomInt`; there are never more than a few hundred thousand.
  const range = Number(count < 2n ** 40n ? count : 2n ** 40n);
  for (let i = 0; i < RANDOM_TRIES; i++) yield BigInt(randomInt(range));
  const from = randomInt(range);
  for (let i = 0; i < Math.min(range, ORDERED_TRIES); i++) yield BigInt((from + i) % range);
}

/**
 * Records the transaction that the page reports. It is only a hint: the chain is read for the payment with or without it. Throws
 * `checkout.wallet.unavailable` when no quote waits for a payment, `checkout.session.*`, and `request.invalid` for what is no hash of the
 * quote's chain.
 */
export async function reportTransaction(
  { db, settings }: Pick<Quoting, 'db' | 'settings'>,
  { id }: SessionRow,
  transactionHash: string,
): Promise<WalletPayment> {
  return withSession(db, 'id', id, async (tx, current) => {
    const session = current!;
    const quoted = await currentQuote(tx, id);
    if (!quoted) {
      requireOpen(session);
      throw unavailable();
    }
    const hash = hashOn(quoted.secret_type, transactionHash);
    if (quoted.state !== 'quoted' || quoted.told_hash === hash) return describePayment(tx, quoted);
    requireOpen(session);
    const reported = await tx
      .updateTable('wallet_quotes')
      .set({ told_hash: hash, known_at: new Date(Date.now()), problem: null })
      .where('id', '=', quoted.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await refreshSession(tx, id, settings);
    await tx
      .updateTable('wallet_lanes')
      .set({ next_look_at: new Date(Date.now()) })
      .where('network', '=', quoted.network)
      .where('token_address', '=', quoted.token_address)
      .where('next_look_at', 'is not', null)
      .where('failures', '=', 0)
      .execute();
    return describePayment(tx, reported);
  });
}

/** In the form that nodes give it; they refuse to look for a hash with a wrong checksum. */
function hashOn(secretType: ReceivingChain, text: string): string {
  const { hash } = CARDS[secretType];
  if (!hash.test(text) || (secretType === 'AETERNITY' && !decode58(text)))
    throw invalid('transactionHash', `must be the hash of a transaction on ${CHAIN_NAMES[secretType]}`);
  return hash.ignoreCase ? text.toLowerCase() : text;
}

/** A payment with its signed order, while it can be paid. */
export async function withOrder(
  service: Parameters<typeof signedOrder>[0],
  session: SessionRow,
  payment: WalletPayment,
): Promise<WalletPayment> {
  if (payment.state !== 'quoted') return payment;
  const row = await currentQuote(service.db, session.id);
  // Another quote may have replaced it since.
  if (!row || row.expires_at.getTime() !== payment.expiresAt) return payment;
  return { ...payment, order: await signedOrder(service, session, row) };
}

export async function describePayment(db: Database, { id }: QuoteRow): Promise<WalletPayment> {
  // In one statement: between two, a reorganisation could remove the transfer and its hash.
  const row = await db
    .selectFrom('wallet_quotes as quote')
    .leftJoin('wallet_transfers as transfer', (join) =>
      join.onRef('transfer.quote_id', '=', 'quote.id').on('transfer.state', 'in', ['pending', 'paid']),
    )
    .selectAll('quote')
    .select(['transfer.transaction_hash', 'transfer.confirmations as confirmed'])
    .select((is) =>
      is
        .selectFrom('wallet_transfers as wrong')
        .select((of) => of.fn.sum<string | null>('wrong.amount').as('amount'))
        .whereRef('wrong.session_id', '=', 'quote.session_id')
        .whereRef('wrong.network', '=', 'quote.network')
        .whereRef('wrong.token_address', '=', 'quote.token_address')
        .where('wrong.state', '=', 'unassigned')
        .where('wrong.reason', '=', 'amount')
        .as('received'),
    )
    .select((is) =>
      is
        .selectFrom('wallet_transfers as part')
        .select('part.transaction_hash')
        .whereRef('part.session_id', '=', 'quote.session_id')
        .where('part.certain', '=', true)
        .where('quote.enough', '=', true)
        .orderBy('part.seen_at', 'desc')
        .limit(1)
        .as('part_hash'),
    )
    .where('quote.id', '=', id)
    // Of several that add up.
    .orderBy('transfer.confirmations')
    .limit(1)
    .executeTakeFirstOrThrow();
  const good = row.state === 'quoted' && row.expires_at.getTime() > Date.now();
  const received = row.key_id === null ? row.received : await receivedAt(db, row);
  return {
    state: isUnderWay(row) ? 'pending' : row.state === 'paid' ? 'paid' : good ? 'quoted' : 'expired',
    to: row.address,
    amount: formatAmount(BigInt(row.amount), row.decimals),
    expiresAt: row.expires_at.getTime(),
    transactionHash: row.transaction_hash ?? row.part_hash ?? row.told_hash,
    confirmations: Math.min(row.confirmed ?? 0, row.confirmations),
    needed: row.confirmations,
    ...problemOf({ ...row, received }),
    ...(row.secret_type === 'AETERNITY' && { memo: row.session_id }),
    order: null,
  };
}

/** What came to the session's own address so far, and what is on its way there. Null: nothing. */
async function receivedAt(db: Database, quoted: QuoteRow): Promise<string | null> {
  if (quoted.state === 'paid' || isUnderWay(quoted)) return null;
  const [counted, sightings] = await Promise.all([countedTransfers(db, quoted), sightingsAt(db, quoted)]);
  const inTime = sightings.filter(
    ({ missing_since, seen_at }) => missing_since === null && seen_at <= quoted.expires_at,
  );
  const sum = sumOf(counted) + sumOf(inTime);
  return sum > 0n ? sum.toString() : null;
}

/** `received`: transfers of other amounts than the quote's that the page reported, or that came to the session's own address. */
function problemOf({
  problem,
  amount,
  decimals,
  enough,
  key_id,
  received,
}: QuoteRow & { received: string | null }): Pick<WalletPayment, 'problem' | 'received' | 'difference'> {
  if (enough) return { problem: null, received: null, difference: null };
  if (received === null || (problem !== 'amount' && key_id === null))
    return { problem: problem as WalletPayment['problem'], received: null, difference: null };
  const excess = BigInt(received) - BigInt(amount);
  return {
    problem: excess < 0n ? 'underpaid' : 'overpaid',
    received: formatAmount(BigInt(received), decimals),
    difference: formatAmount(excess < 0n ? -excess : excess, decimals),
  };
}
