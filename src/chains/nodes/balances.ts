/** Balances as the wallet API answers them. */
import type { NativeBalance, TokenBalance } from '../answers.ts';
import { toNumber } from '../../base/amount.ts';
import type { Coin } from '../coin.ts';
import type { SecretType } from '../secret-type.ts';

/** `gas` is the coin that pays fees, where it is another. */
export function nativeBalance(
  secretType: SecretType,
  coin: Coin,
  raw: bigint,
  gas: { coin: Coin; raw: bigint } = { coin, raw },
): NativeBalance {
  return {
    available: true,
    secretType,
    balance: toNumber(raw, coin.decimals),
    gasBalance: toNumber(gas.raw, gas.coin.decimals),
    symbol: coin.symbol,
    gasSymbol: gas.coin.symbol,
    rawBalance: raw.toString(),
    rawGasBalance: gas.raw.toString(),
    decimals: coin.decimals,
  };
}

/** Why `tokenBalances` rejects if some tokens could not be read, as the cause of its `node.unreachable`. */
export class UnreadTokens extends Error {
  override name = 'UnreadTokens';
  constructor(
    /** Of the others. */
    readonly balances: TokenBalance[],
    /** Addresses. */
    readonly unread: readonly string[],
    cause: unknown,
  ) {
    super(`${unread.length} tokens were not read`, { cause });
  }
}

/** For who shows what was read, and says what was not. Throws the error if that is nothing. */
export function partlyRead(error: unknown): UnreadTokens {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (cause instanceof UnreadTokens && cause.balances.length > 0) return cause;
  throw error;
}
