/** An offer to swap between chains: everything in it is computed here, and what a node says of it is compared. */
import { formatAmount } from '../../../base/amount.ts';
import { type Inbound, type QuoteAnswer, voteOn } from './answers.ts';
import { chainOf, NotAvailable, type Pools, readAsset, resolveAsset, THOR_DECIMALS } from './assets.ts';
import type { ThorNode, ThorNodes } from './nodes.ts';
import { agreedPrice, feeIn, limitOf, type Price, priceOf, worthIn } from './pricing.ts';
import { readMemo, writeMemo } from './memo.ts';

export interface PriceQuestion {
  /** THORChain's full names. */
  from: string;
  to: string;
  /** In hundred-millionths (`toThor`). */
  amount: bigint;
  /** In parts per million. */
  slippage: bigint;
}

export interface OfferQuestion extends PriceQuestion {
  /** On the chain of `to`, as its `readAddress` writes it. */
  recipient: string;
  /** The least output, in hundred-millionths; absent: the price less the slippage. */
  least?: bigint | undefined;
}

/** Amounts in hundred-millionths. */
export interface Estimate extends PriceQuestion {
  price: Price;
  /** The least that is paid out: less, and the coins come back. */
  limit: bigint;
  /** Where the coins go to, if two nodes agree (`checkAtTwoNodes`). */
  vault: string;
  /** The contract that takes them there, on chains that have one. */
  router: string | undefined;
  /** Seconds since 1970, by the node. */
  expiry: number;
  /** From where it is sure that a refund comes back. */
  minimum: bigint;
  /** What a refund costs, in the asset that is sent. */
  refundFee: bigint;
  /** About how long: until the deposit counts, and until the output is sent after the swap. */
  seconds: { inbound: number; outbound: number };
  /** When it was asked for, in milliseconds since 1970. */
  at: number;
}

export interface Offer extends Estimate {
  recipient: string;
  memo: string;
}

/** Blocks come every 6 seconds, and each may move the pools. */
const MARKET_MS = 10_000;
/** What a node answers otherwise once pools have moved, or another vault has taken over. */
const MOVED = /^(?:price-differs|vault|router)$/;
/** Fees may rise before a refund is sent. */
const FEE_RESERVE = 4n;

interface Market {
  pools: Pools;
  inbound: readonly Inbound[];
  minSlip: bigint;
  at: number;
}

export class Offers {
  #market: Market | undefined;

  constructor(private readonly nodes: ThorNodes) {}

  /** What an offer would be, for nobody: a node has no order to compare. Takes what `offer` takes, and throws the same. */
  estimate(question: PriceQuestion): Promise<Estimate> {
    return this.#ask(question, undefined, (market, quote, at) => estimateOf(question, market, quote, at));
  }

  /**
   * Takes one round of 4 requests, or 1 if the pools were read within 10 s; if they or the vault have changed since, a second one of 3. Throws
   * `NotAvailable`.
   */
  offer(question: OfferQuestion): Promise<Offer> {
    return this.#ask(question, question.recipient, (market, quote, at) =>
      offerOf(question, market, quote, at),
    );
  }

  async #ask<T>(
    { from, to, amount }: PriceQuestion,
    recipient: string | undefined,
    make: (market: Market, quote: QuoteAnswer, at: number) => T,
  ): Promise<T> {
    return this.nodes.first(async (node) => {
      const at = this.nodes.clock.date();
      const kept = this.#market && at - this.#market.at < MARKET_MS ? this.#market : undefined;
      const [market, quote] = await Promise.all([
        kept ?? this.#read(node),
        node.quote({
          from_asset: from,
          to_asset: to,
          amount: `${amount}`,
          ...(recipient !== undefined && { destination: recipient }),
        }),
      ]);
      try {
        return make(market, quote, at);
      } catch (error) {
        if (!kept || !(error instanceof NotAvailable) || !MOVED.test(error.reason)) throw error;
        return make(await this.#read(node), quote, at);
      }
    });
  }

  async #read(node: ThorNode): Promise<Market> {
    const at = this.nodes.clock.date();
    const [pools, inbound, mimir] = await Promise.all([node.pools(), node.inbound(), node.mimir()]);
    const vote = voteOn('L1SLIPMINBPS', mimir);
    this.#market = { pools, inbound, minSlip: vote > 0n ? vote : 0n, at };
    return this.#market;
  }
}

function estimateOf(question: PriceQuestion, market: Market, quote: QuoteAnswer, at: number): Estimate {
  const { from, to, amount, slippage } = question;
  const { pools, inbound, minSlip } = market;
  const source = chainOf(from);
  const target = chainOf(to);
  if (!source || !target) throw new NotAvailable('pool', 'The wallet does not have the chain.');
  const there = vaultOn(source.name, inbound);
  const { outbound_fee: outboundFee } = vaultOn(target.name, inbound);
  const ours = priceOf({ pools, minSlip, outboundFee }, { from, to, amount });
  if (quote.fees.asset !== to) throw new NotAvailable('price-differs', 'The node answers for another asset.');
  const theirs = { output: quote.expected_amount_out, outboundFee: quote.fees.outbound ?? 0n };
  const price = agreedPrice(ours, theirs, target.coin === to);
  const limit = limitOf(price, slippage);

  const refundFee = feeIn(from, there.outbound_fee, pools);
  const payoutFee = worthIn(from, price.outboundFee, to, pools);
  const own = FEE_RESERVE * (refundFee > payoutFee ? refundFee : payoutFee);
  const minimum = mostOf(own, quote.recommended_min_amount_in ?? 0n, there.dust_threshold + 1n);
  if (amount <= mostOf(there.dust_threshold, quote.dust_threshold ?? 0n))
    throw new NotAvailable('dust', 'It is less than THORChain notices: the coins would be lost.');
  if (amount < minimum)
    throw new NotAvailable(
      'below-minimum',
      `If the swap failed, too little would come back, or nothing. Swap at least ${formatAmount(minimum, THOR_DECIMALS)} ${readAsset(from)?.ticker}.`,
    );

  if (!quote.inbound_address || !isSameAddress(quote.inbound_address, there.address))
    throw new NotAvailable('vault', 'The node names two addresses to send to.');
  if (source.hasRouter && !(quote.router && there.router && isSameAddress(quote.router, there.router)))
    throw new NotAvailable('router', 'The node names no contract, or two.');
  return {
    from,
    to,
    amount,
    slippage,
    price,
    limit,
    vault: there.address,
    router: source.hasRouter ? there.router : undefined,
    expiry: quote.expiry,
    minimum,
    refundFee,
    seconds: { inbound: quote.inbound_confirmation_seconds ?? 0, outbound: quote.outbound_delay_seconds },
    at,
  };
}

function offerOf(question: OfferQuestion, market: Market, quote: QuoteAnswer, at: number): Offer {
  const { to, recipient, least } = question;
  const { pools } = market;
  const estimate = estimateOf(question, market, quote, at);
  const limit = least ?? estimate.limit;
  requireSameOrder(quote.memo, question, pools);
  const memo = writeMemo({ to, recipient, limit }, pools, chainOf(question.from)!.memoBytes);
  return { ...estimate, recipient, limit, memo };
}

/** A node that would pay another recipient, or another asset, is not believed in anything else. */
function requireSameOrder(memo: string | undefined, { to, recipient }: OfferQuestion, pools: Pools): void {
  const order = readMemo(memo ?? '');
  const isSame =
    order &&
    !('unreadable' in order) &&
    resolveAsset(order.asset, pools) === to &&
    order.recipient === recipient &&
    !order.refundTo &&
    order.affiliates.length === 0;
  if (!isSame)
    throw new NotAvailable('memo', 'The node writes another order than the one that it was asked for.');
}

export function vaultOn(chain: string, inbound: readonly Inbound[]): Inbound {
  const entries = inbound.filter((each) => each.chain === chain);
  if (entries.length !== 1) throw new NotAvailable('vault', `The node names no single vault on ${chain}.`);
  return entries[0]!;
}

/** Addresses that begin with 0x are the same in any case. */
export function isSameAddress(a: string, b: string): boolean {
  return a === b || (a.startsWith('0x') && a.toLowerCase() === b.toLowerCase());
}

function mostOf(...amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}
