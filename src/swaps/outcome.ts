/** What a swap actually took and gave, according to its transaction's logs. */
import { addressKey } from '../chains/contracts/listed-token.ts';
import type { Arrival } from '../chains/terms.ts';

/** In smallest units; undefined if the logs do not show it. */
export interface Moved {
  input: bigint | undefined;
  output: bigint | undefined;
}

export interface Ends {
  /** Token contracts; empty for the coin. */
  fromToken: string;
  toToken: string;
  /** Addresses of who paid and who received. */
  from: string;
  to: string;
}

/**
 * Logs do not contain coins, but they contain the token that represents them in pools: the router sends it to the
 * first pool, and gets it from the last, to unwrap it.
 */
export function movedBy(
  arrivals: readonly Arrival[],
  { router, wrapped }: { router: string; wrapped: string },
  { fromToken, toToken, from, to }: Ends,
): Moved {
  const sum = (token: string, of: 'from' | 'to', address: string): bigint | undefined =>
    arrivals
      .filter((one) => one.token === addressKey(token) && one[of] === addressKey(address))
      .reduce((all, { raw }) => all + raw, 0n) || undefined;
  return {
    input: fromToken ? sum(fromToken, 'from', from) : sum(wrapped, 'from', router),
    output: toToken ? sum(toToken, 'to', to) : sum(wrapped, 'to', router),
  };
}
