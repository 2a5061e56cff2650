/** What the exchanges pay for an amount, or charge for it. */
import type { ExchangeRate, ExchangeRates, NoRate, RatesQuery } from '../api/swap.ts';
import { AmountError, parseUnits, toNumber } from '../base/amount.ts';
import { checksum } from '../chains/contracts/evm-address.ts';
import { invalid } from '../chains/requests/payloads.ts';
import type { Coin } from '../chains/coin.ts';
import { gasCoinOf, type SecretType } from '../chains/secret-type.ts';
import type { Limit } from '../base/clock.ts';
import { ConnectError } from '../base/errors.ts';
import type { AddressForm } from './addresses.ts';
import type { Caller } from './caller.ts';
import type { Asset, Exchange, Question, Quote } from './exchange.ts';
import { swapError } from './failures.ts';
import { marketOf, type Reach } from './market.ts';
import { percentOf, readSlippage } from './percent.ts';
import { isBetter } from './pool-exchange.ts';

/** Gives access to a chain's nodes; undefined where it has none. */
export type ReachOf = (secretType: SecretType) => Promise<Reach | undefined> | Reach | undefined;

/** An exchange that takes longer has no rate. */
const DEADLINE_MS = 6_000;

/**
 * All exchanges are asked concurrently, for `deadline` ms; one without a rate is in `noRates` with the
 * reason. For two chains, or one without exchanges, nothing is asked and the result is empty. At most two
 * round trips per exchange, one if its pools are known; one more for unlisted tokens. Throws
 * `request.invalid`, and `node.unreachable` if that is why there is no rate at all.
 */
export async function swapRates(
  query: RatesQuery,
  reachOf: ReachOf,
  { deadline = DEADLINE_MS } = {},
): Promise<ExchangeRates> {
  const slippage = readSlippage(query.slippage);
  const reach = await reachOfBoth(query, reachOf);
  const venue = reach && (await marketOf(reach));
  if (!venue) return { exchangeRates: [], bestRate: null };
  const { market, caller } = venue;
  const { orderType } = query;
  const assets = await market.assets(reach, caller, query);
  const exact = orderType === 'SELL' ? assets.from : assets.to;
  const question = { ...assets, orderType, amount: readAmount('amount', query.amount, exact) };
  // It is batched with the first exchange's calls, and optional: a rate is still valid without it.
  const price = soon(market.gasPrice(caller), deadline).catch(() => undefined);
  const answers = await Promise.all(
    market.exchanges.map(async (exchange, i) => {
      // Each exchange gets requests of its own: calls made at the same time would be batched, and wait for the slowest.
      if (i > 0) await new Promise((resolve) => setTimeout(resolve, 0));
      return quoted(exchange, caller, question, deadline);
    }),
  );
  const quotes = answers.flatMap((answer) => ('quote' in answer ? [answer] : []));
  const gasCoin = gasCoinOf(reach.node.network);
  const gasPrice = await price;
  const rates = quotes.map(({ exchange, quote }) => ({
    ...rateOf(exchange, quote, question, slippage),
    route: routeOf(quote, question, market.addresses),
    ...(gasPrice !== undefined && { networkFee: feeOf(quote.gas * gasPrice, gasCoin) }),
  }));
  const failures = answers.flatMap((answer) => ('error' in answer ? [answer] : []));
  if (rates.length === 0 && failures.every(({ error }) => error.code === 'node.unreachable'))
    throw failures[0]!.error;
  const best = quotes.reduce(
    (at, { quote }, i) => (isBetter(quote, quotes[at]!.quote, question) ? i : at),
    0,
  );
  return {
    exchangeRates: rates,
    bestRate: rates[best] ?? null,
    ...(failures.length > 0 && {
      noRates: failures.map(
        ({ exchange, error }): NoRate => ({
          exchange: exchange.name,
          code: error.code,
          message: error.shortMessage,
        }),
      ),
    }),
  };
}

/** The chain of a swap; undefined for two chains, and for one that nobody can reach. */
export async function reachOfBoth(
  { fromSecretType, toSecretType }: Pick<RatesQuery, 'fromSecretType' | 'toSecretType'>,
  reachOf: ReachOf,
): Promise<Reach | undefined> {
  return fromSecretType === toSecretType && fromSecretType !== 'NEO' ? reachOf(fromSecretType) : undefined;
}

/** An amount in smallest units. Throws `request.invalid` at the field. */
export function readAmount(field: string, value: unknown, { decimals }: Asset): bigint {
  try {
    const amount = parseUnits(value, decimals);
    if (amount > 0n) return amount;
  } catch (error) {
    if (error instanceof AmountError) throw invalid(field, error.message);
    throw error;
  }
  throw invalid(field, 'must be greater than 0');
}

function feeOf(raw: bigint, { symbol, decimals }: Coin): NonNullable<ExchangeRate['networkFee']> {
  return { symbol, decimals, amount: toNumber(raw, decimals), rawAmount: raw.toString() };
}

/** Rejects with `late()` after `deadline` milliseconds. */
async function soon<T>(answer: Promise<T>, deadline: number, late = () => new Error('late')): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | number | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), deadline, 'limit' satisfies Limit);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}

type Quoted = { exchange: Exchange } & ({ quote: Quote } | { error: ConnectError });

async function quoted(
  exchange: Exchange,
  caller: Caller,
  question: Question,
  deadline: number,
): Promise<Quoted> {
  const late = () =>
    swapError(exchange.name, 'get-price.failed', `${exchange.name} did not answer in time.`, {
      reason: 'deadline',
    });
  try {
    return { exchange, quote: await soon(exchange.rate(caller, question), deadline, late) };
  } catch (error) {
    if (error instanceof ConnectError) return { exchange, error };
    throw error;
  }
}

function rateOf(
  { name }: Exchange,
  { input, output, fee, priceImpact }: Quote,
  { from, to, orderType }: Question,
  slippage: bigint,
): ExchangeRate {
  return {
    exchange: name,
    orderType,
    inputAmount: toNumber(orderType === 'SELL' ? input : rounded(input, 'up'), from.decimals),
    outputAmount: toNumber(orderType === 'SELL' ? rounded(output, 'down') : output, to.decimals),
    slippage: percentOf(slippage, 1_000_000n),
    fee,
    priceImpact,
    rawInputAmount: input.toString(),
    rawOutputAmount: output.toString(),
    inputDecimals: from.decimals,
    outputDecimals: to.decimals,
  };
}

function routeOf({ route }: Quote, { from, to }: Question, { written }: AddressForm): string[] {
  const between = route.path.slice(1, -1).map(checksum);
  return [from.address, ...between, to.address].map((address) => address && written(address));
}

/**
 * Rounded to a number's precision, never in the user's favour: a swap without slippage uses the number as its
 * limit.
 */
function rounded(amount: bigint, direction: 'up' | 'down'): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 15));
  return ((amount + (direction === 'up' ? unit - 1n : 0n)) / unit) * unit;
}
