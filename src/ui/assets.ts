/** A coin or token that a form sends or swaps. */
import type { NativeBalance, TokenBalance } from '../api/wallet.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';

/** A wallet's coin, or a token in it. */
export interface Asset {
  /** Absent for the coin. */
  address?: string;
  symbol: string;
  /** Null if unknown: the amount is then checked only by the wallet. */
  decimals: number | null;
  /** Smallest units; null when unknown. */
  raw: bigint | null;
}

/** Until the balance, which also describes the coin, is loaded, symbol and decimals are the chain's own. */
export function coinOf(secretType: SecretType, balance: NativeBalance | null | undefined): Asset {
  const { symbol, decimals } = CARDS[secretType].coin;
  return balance
    ? { symbol: balance.symbol ?? symbol, decimals: balance.decimals, raw: BigInt(balance.rawBalance) }
    : { symbol, decimals, raw: null };
}

export function tokenOf({ tokenAddress, symbol, decimals, rawBalance }: TokenBalance): Asset {
  return { address: tokenAddress, symbol, decimals, raw: BigInt(rawBalance) };
}
