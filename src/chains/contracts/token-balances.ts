/** Balances of tokens, as the wallet API answers them. */
import type { TokenBalance } from '../answers.ts';
import { ConnectError } from '../../base/errors.ts';
import { toNumber } from '../../base/amount.ts';
import type { Token } from '../network.ts';
import { UnreadTokens } from '../nodes/balances.ts';

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
