/** Handling of a build body's fields, common to all chains. */
import { ConnectError } from '../../base/errors.ts';
import { AmountError, formatAmount, parseUnits } from '../../base/amount.ts';
import type { Coin } from '../coin.ts';
import { isLookedUp } from './foreign-address.ts';
import { invalid } from './payloads.ts';

/** `value` of a coin or token in its smallest units. Throws `request.invalid` at `value`. */
export function unitsOf(value: string, decimals: number): bigint {
  try {
    const raw = parseUnits(value, decimals);
    if (raw >> 256n) throw new AmountError('is too large: it must fit in 256 bits');
    return raw;
  } catch (error) {
    if (error instanceof AmountError) throw invalid('value', error.message);
    throw error;
  }
}

/** A native request as JSON can carry it: amounts are decimal text. */
export function inJson<T>(request: T): T {
  const text = (value: unknown): unknown => {
    if (typeof value === 'bigint') return value.toString();
    if (Array.isArray(value)) return value.map(text);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, text(one)]));
  };
  return text(request) as T;
}

/** Throws `recipient.unknown` for an unresolved e-mail address or name. */
export function recipientOf(to: string): string {
  if (!isLookedUp(to)) return to;
  throw new ConnectError(
    'recipient.unknown',
    'No wallet was found for this e-mail. Ask the recipient for an address.',
  );
}

/**
 * Throws `request.invalid` at `value` for a transfer of coins that can only be meant in smallest units: 10^9 times what the wallet holds,
 * or of one coin where it holds less.
 */
export function checkCoins(
  request: { type: string; value?: unknown },
  balance: bigint,
  { symbol, decimals }: Coin,
): void {
  const { type, value } = request;
  if ((type !== 'TRANSFER' && type !== 'GAS_TRANSFER') || typeof value !== 'string') return;
  const one = 10n ** BigInt(decimals);
  const raw = parseUnits(value, decimals);
  if (raw <= (balance > one ? balance : one) * 10n ** 9n) return;
  const meant =
    raw % one === 0n ? `; for ${value} smallest units write ${formatAmount(raw / one, decimals)}` : '';
  throw invalid(
    'value',
    `is in ${symbol}, and more than 10^9 times what the wallet holds: decimal coins are meant${meant}`,
  );
}
