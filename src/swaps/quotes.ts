/** What an answer about rates is made of, whatever kind of exchange gave it. */
import type { ExchangeRate, ExchangeRates, NoRate, OrderType } from '../api/swap.ts';
import { AmountError, parseUnits, toNumber } from '../base/amount.ts';
import type { Limit } from '../base/clock.ts';
import { ConnectError } from '../base/errors.ts';
import type { Coin } from '../chains/coin.ts';
import { invalid } from '../chains/requests/payloads.ts';
import { swapError } from './failures.ts';
import { percentOf } from './percent.ts';

/** An exchange's quote, or why it has none. */
export type Quoted<Q> = { exchange: string } & ({ quote: Q } | { error: ConnectError });

/** An exchange that takes longer than `deadline` ms has no rate. */
export async function quoted<Q>(exchange: string, quote: Promise<Q>, deadline: number): Promise<Quoted<Q>> {
  const late = () =>
    swapError(exchange, 'get-price.failed', `${exchange} did not answer in time.`, { reason: 'deadline' });
  try {
    return { exchange, quote: await soon(quote, deadline, late) };
  } catch (error) {
    if (error instanceof ConnectError) return { exchange, error };
    throw error;
  }
}

/** Throws `request.invalid` or `node.unreachable` if that is why there is no rate at all. */
export function ratesOf<Q>(
  answers: readonly Quoted<Q>[],
  rateOf: (exchange: string, quote: Q) => ExchangeRate,
  isBetter: (one: Q, other: Q) => boolean,
): ExchangeRates {
  const quotes = answers.flatMap((answer) => ('quote' in answer ? [answer] : []));
  const failures = answers.flatMap((answer) => ('error' in answer ? [answer] : []));
  if (quotes.length === 0) {
    const codes = failures.map(({ error }) => error.code);
    const cause = codes.every((code) => code === 'node.unreachable') ? 0 : codes.indexOf('request.invalid');
    if (failures[cause]) throw failures[cause].error;
  }
  const rates = quotes.map(({ exchange, quote }) => rateOf(exchange, quote));
  const best = quotes.reduce((at, { quote }, i) => (isBetter(quote, quotes[at]!.quote) ? i : at), 0);
  return {
    exchangeRates: rates,
    bestRate: rates[best] ?? null,
    ...(failures.length > 0 && { noRates: failures.map(noRateOf) }),
  };
}

function noRateOf({ exchange, error }: { exchange: string; error: ConnectError }): NoRate {
  const { code, shortMessage: message } = error;
  const { reason } = error.details as { reason?: string };
  return {
    exchange,
    code,
    message,
    ...(code.endsWith('.unavailable') && reason !== undefined && { details: { reason } }),
  };
}

/** What all rates have. Amounts in smallest units, `slippage` in parts per million. */
export function rateBetween(
  exchange: string,
  { from, to, orderType, slippage }: { from: Coin; to: Coin; orderType: OrderType; slippage: bigint },
  { input, output, fee, priceImpact }: { input: bigint; output: bigint; fee: number; priceImpact: number },
): ExchangeRate {
  return {
    exchange,
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

/**
 * Rounded to a number's precision, never in the user's favour: a swap without slippage uses the number as its
 * limit.
 */
function rounded(amount: bigint, direction: 'up' | 'down'): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 15));
  return ((amount + (direction === 'up' ? unit - 1n : 0n)) / unit) * unit;
}

export function feeOf(raw: bigint, { symbol, decimals }: Coin): NonNullable<ExchangeRate['networkFee']> {
  return { symbol, decimals, amount: toNumber(raw, decimals), rawAmount: raw.toString() };
}

/** An amount in smallest units. Throws `request.invalid` at the field. */
export function readAmount(field: string, value: unknown, { decimals }: Pick<Coin, 'decimals'>): bigint {
  try {
    const amount = parseUnits(value, decimals);
    if (amount > 0n) return amount;
  } catch (error) {
    if (error instanceof AmountError) throw invalid(field, error.message);
    throw error;
  }
  throw invalid(field, 'must be greater than 0');
}

/** Rejects with `late()` after `deadline` milliseconds. */
export async function soon<T>(
  answer: Promise<T>,
  deadline: number,
  late = () => new Error('late'),
): Promise<T> {
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
