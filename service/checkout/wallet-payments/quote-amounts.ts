/**
 * What a session costs in coins or tokens, in smallest units. Every payment to a wallet has an amount of its own, which identifies it by
 * the last digits. They are never worth more than the smallest unit of the currency, or a thousandth of the price when
 * the token has no digits for that, and always in the shop's favour.
 */

/** Distinct amounts, if the token has digits for them. */
const WANTED_AMOUNTS = 100_000n;
/** With fewer, the amounts may go up by a thousandth of the price. */
const ENOUGH_AMOUNTS = 10_000n;

function ceil(amount: bigint, unit: bigint): bigint {
  return (amount + unit - 1n) / unit;
}

export interface Amounts {
  /** The lowest of them. */
  first: bigint;
  step: bigint;
  count: bigint;
}

/** The amounts for a price that is worth `minorUnits` of the currency. */
export function amountsFor(price: bigint, minorUnits: bigint): Amounts {
  const minor = price / minorUnits;
  const room = minor >= ENOUGH_AMOUNTS ? minor : greater(minor, lesser(ENOUGH_AMOUNTS, price / 1000n));
  let step = 1n;
  while (step * 10n * WANTED_AMOUNTS <= room) step *= 10n;
  const first = ceil(price, step) * step;
  // Rounding up to the step used some of the room.
  const left = room - (first - price);
  return { first, step, count: left < step ? 1n : left / step };
}

/** The tolerance, in hundredths of a percent, is in the customer's favour. */
export function isEnough(
  { amount, tolerance }: { amount: string; tolerance: number },
  received: bigint,
): boolean {
  const price = BigInt(amount);
  return received >= price - (price * BigInt(tolerance)) / 10_000n;
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
