/** Quotes of sessions: the amount to pay, the wallet to pay it to, and the time limit. */
import { randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { ChosenAsset, WalletPayment } from '../../../src/api/pay.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { PaymentAddressRow, QuoteRow, ReceivingWalletEntry, SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import type { NodeQueries } from '../../concurrency/node-queries.ts';
import { notOpen, requireTriesLeft } from '../sessions/session-errors.ts';
import { requireOpen, withSession } from '../sessions/transitions.ts';
import { weighAgain } from './addresses/weigh.ts';
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
import { admitClient, takeAddress } from './addresses/take-address.ts';
import { hasKey } from './receiving-keys.ts';
import { isSameAsset } from './receiving-wallets.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';
import { currentOffer, currentQuote, isUnderWay } from './current-quote.ts';
import { describePayment } from './describe-payment.ts';

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
