/** What a form sends or swaps: a coin or a token, and amounts as people type them. */
import type { NativeBalance, TokenBalance } from '../api/wallet.ts';
import { decimalText } from '../chains/amount.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import { point } from './amount-text.ts';
import { msg, str } from './localize.ts';

/** What can be sent from a wallet: its coin, or a token. */
export interface Asset {
  /** Absent for the coin. */
  address?: string;
  symbol: string;
  /** Null when unknown: then only the wallet checks the amount. */
  decimals: number | null;
  /** Smallest units; null when unknown. */
  raw: bigint | null;
}

/** Symbol and decimals are the chain's own as long as the balance, which names the coin too, is not there. */
export function coinOf(secretType: SecretType, balance: NativeBalance | null | undefined): Asset {
  const { symbol, decimals } = CARDS[secretType].coin;
  return balance
    ? { symbol: balance.symbol ?? symbol, decimals: balance.decimals, raw: BigInt(balance.rawBalance) }
    : { symbol, decimals, raw: null };
}

export function tokenOf({ tokenAddress, symbol, decimals, rawBalance }: TokenBalance): Asset {
  return { address: tokenAddress, symbol, decimals, raw: BigInt(rawBalance) };
}

/** Whole thousands in groups, by any separator, and perhaps decimals after another one. */
const GROUPED = /^([1-9]\d{0,2}([.,'’\s])(?:\d\d\d?\2)*\d{3})(?:(?!\2)[.,](\d*))?$/;

/**
 * A typed amount with a point: of `0,25`, `.25`, `1 234,5`. Where a comma remains, as in `1,234`, it may be a thousand or one: the user is
 * asked. Only the language's own decimal separator is beyond doubt.
 */
export function typedAmount(text: string): string {
  const typed = text.trim();
  const [, whole = '', mark = '', fraction] = GROUPED.exec(typed) ?? [];
  if (/^\d+[.,]\d{3}$/.test(typed) && whole && mark !== point) return typed.replace(mark, ',');
  if (whole && typed.replace(/\d/g, '') !== point)
    return `${whole.replace(/\D/g, '')}${fraction ? `.${fraction}` : ''}`;
  return typed.replace(/^(\d*)[.,](\d*)$/, (_, units, rest) => `${units || 0}${rest && `.${rest}`}`);
}

/** As it stands in a field: `0,25` where the language has a comma. */
export const fieldText = (plain: string): string => plain.replace('.', point);

/** `1,234` of `typedAmount`: a thousand or one. */
export const isUnclear = (amount: string): boolean => /^\d+,\d{3}$/.test(amount);

/** What is wrong with the form of a typed amount. */
export function formError(amount: string): string | undefined {
  try {
    decimalText(amount);
    return undefined;
  } catch {
    const [units, thousandths] = amount.split(',');
    return isUnclear(amount)
      ? msg(str`${units}${thousandths} or ${units}${point}${thousandths}?`)
      : msg(str`Enter a number, for example ${fieldText('0.25')}.`);
  }
}
