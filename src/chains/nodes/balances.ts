/** Balances as the wallet API answers them. */
import type { NativeBalance, TokenBalance } from '../answers.ts';
import { ConnectError } from '../../base/errors.ts';
import { toNumber } from '../../base/amount.ts';
import type { Coin } from '../coin.ts';
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

/** `type` is the token's standard. Of a contract that answers no balance it is 0; of one that was not read it is nothing. */
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

/** The balance of each token, in their order. Rejects with `node.unreachable` that names those that could not be read (`partlyRead`). */
export async function eachBalance(
  tokens: readonly Token[],
  read: (token: Token, i: number) => Promise<TokenBalance>,
): Promise<TokenBalance[]> {
  const balances: TokenBalance[] = [];
  const unread: string[] = [];
  let first: ConnectError | undefined;
  for (const [i, outcome] of (await Promise.allSettled(tokens.map(read))).entries()) {
    if (outcome.status === 'fulfilled') {
      balances.push(outcome.value);
      continue;
    }
    const error: unknown = outcome.reason;
    if (!(error instanceof ConnectError && error.code === 'node.unreachable')) throw error;
    first ??= error;
    unread.push(tokens[i]!.address);
  }
  if (!first) return balances;
  const { shortMessage, details } = first;
  throw new ConnectError(
    'node.unreachable',
    `${shortMessage} Not read: ${unread.join(', ')}.`,
    { ...details, tokens: unread },
    { cause: new UnreadTokens(balances, unread, first) },
  );
}
