/** Balances as the wallet API answers them (spec 2.3 and 2.4). */
import type { NativeBalance, TokenBalance } from '../answers/answers.ts';
import { toNumber } from '../amount.ts';
import type { Coin } from '../chain.ts';
import type { Token } from '../network.ts';
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

/** `type` is the token's standard. A token without an answer is shown with a balance of 0. */
export function tokenBalance(
  { address, decimals, symbol, logo }: Token,
  raw: bigint | undefined,
  type: string,
): TokenBalance {
  return {
    tokenAddress: address,
    rawBalance: (raw ?? 0n).toString(),
    balance: toNumber(raw ?? 0n, decimals),
    decimals,
    symbol,
    logo,
    type,
    transferable: true,
  };
}
