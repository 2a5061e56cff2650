/** What a form sends or swaps: a coin or a token. */
import type { NativeBalance, TokenBalance } from '../api/wallet.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import { point } from './amount-text.ts';

export { formError, typedAmount } from './typed-amount.ts';

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

/** As it stands in a field: `0,25` where the language has a comma. */
export const fieldText = (plain: string): string => plain.replace('.', point);

/** Whether an amount takes smaller digits to be seen whole in its field, as most of "Max" do. */
export const isLong = (typed: string): boolean => typed.length > 11;
