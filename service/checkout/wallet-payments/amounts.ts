/**
 * What a session costs in coins or tokens, in smallest units. Every payment to one wallet has an amount of its own, by which it is known:
 * the last digits say whose it is. They are never worth more than the smallest unit of the currency, or a thousandth of the price where
 * the token has no digits for that, and always to the shop's side.
 */

/** Amounts that are told apart where the token has digits for them. */
const WANTED = 100_000n;
/** With fewer, a thousandth of the price is taken instead. */
const ENOUGH = 10_000n;

function ceil(amount: bigint, unit: bigint): bigint {
  return (amount + unit - 1n) / unit;
}

export interface Amounts {
  /** The lowest of them. */
  first: bigint;
  step: bigint;
  count: bigint;
}

/** The amounts that pay a price of so many minor units of the currency. */
export function amountsFor(price: bigint, minorUnits: bigint): Amounts {
  const minor = price / minorUnits;
  const room = minor >= ENOUGH ? minor : greater(minor, lesser(ENOUGH, price / 1000n));
  let step = 1n;
  while (step * 10n * WANTED <= room) step *= 10n;
  const first = ceil(price, step) * step;
  // Rounding to the step took of the room.
  const left = room - (first - price);
  return { first, step, count: left < step ? 1n : left / step };
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
