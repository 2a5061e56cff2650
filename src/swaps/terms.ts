/** What a call to a listed router does, read only from its bytes, for the user who is about to approve it. */
import type { Amount } from '../chains/coin.ts';
import type { SwapTerms } from '../chains/approval/summary.ts';
import { checksum } from '../chains/contracts/evm-address.ts';
import { listedToken } from '../chains/contracts/listed-token.ts';
import type { Network } from '../chains/network.ts';
import { shortName } from '../chains/contracts/token-facts.ts';
import { type ExchangeEntry, entriesOf } from './entry.ts';
import { type RouterCall, same, type TermsReader } from './router-swap.ts';

/** The exchange whose router `address` is; undefined if the operator lists none. */
export function exchangeAt(network: Network, address: string): ExchangeEntry | undefined {
  return entriesOf(network).find(({ router }) => same(router, address));
}

/**
 * Undefined for a call that is not a plain swap, which must not be shown as one. Amounts of unlisted tokens
 * have no decimals.
 */
export async function readTerms(
  exchange: ExchangeEntry,
  call: RouterCall,
  network: Network,
  coin: Pick<Amount, 'symbol' | 'decimals'>,
): Promise<SwapTerms | undefined> {
  const { readSwap } = (await import(`./exchanges/${exchange.kind}/terms.ts`)) as TermsReader;
  const swap = readSwap(call, exchange.wrapped.toLowerCase());
  if (!swap) return undefined;
  const { from, to, sell, input, output, recipient, deadline } = swap;
  const amount = (raw: bigint, token: string): Amount => amountOf(raw, token, network, coin);
  return {
    orderType: sell ? 'SELL' : 'BUY',
    input: amount(input, from),
    output: amount(output, to),
    recipient: checksum(recipient),
    deadline,
  };
}

function amountOf(
  raw: bigint,
  token: string,
  network: Network,
  coin: Pick<Amount, 'symbol' | 'decimals'>,
): Amount {
  if (token === '') return { raw, ...coin };
  const listed = listedToken(network.tokens, token);
  return {
    raw,
    decimals: listed?.decimals ?? null,
    symbol: listed?.symbol ?? shortName(checksum(token)),
    token: checksum(token),
  };
}
