/** What a call to a listed router does, read only from its bytes, for the user who is about to approve it. */
import type { Amount } from '../chains/coin.ts';
import type { SwapTerms } from '../chains/approval/summary.ts';
import { checksum } from '../chains/contracts/evm-address.ts';
import { addressKey, listedToken } from '../chains/contracts/listed-token.ts';
import type { Network } from '../chains/network.ts';
import { shortName } from '../chains/contracts/token-facts.ts';
import { addressFormOf } from './caller.ts';
import { type ExchangeEntry, entriesOf } from './entry.ts';
import type { RouterCall, RouterSwap, TermsReader } from './router-swap.ts';

/** The exchange whose router `address` is; undefined if the operator lists none. */
export function exchangeAt(network: Network, address: string): ExchangeEntry | undefined {
  const key = addressKey(address);
  return entriesOf(network).find(({ router }) => addressKey(router) === key);
}

/** What a call of the exchange's router swaps, with addresses as the chain writes them. Undefined for a call that is not a plain swap. */
export async function swapIn(
  exchange: ExchangeEntry,
  call: RouterCall,
  { secretType }: Pick<Network, 'secretType'>,
): Promise<RouterSwap | undefined> {
  const { readSwap } = (await import(`./exchanges/${exchange.kind}/terms.ts`)) as TermsReader;
  const { inContracts, written } = await addressFormOf(secretType);
  const swap = readSwap(call, inContracts(exchange.wrapped).toLowerCase());
  if (!swap) return undefined;
  const shown = (address: string) => address && written(checksum(address));
  return { ...swap, from: shown(swap.from), to: shown(swap.to), recipient: shown(swap.recipient) };
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
  const swap = await swapIn(exchange, call, network);
  if (!swap) return undefined;
  const { from, to, sell, input, output, recipient, deadline } = swap;
  const amount = (raw: bigint, token: string): Amount => amountOf(raw, token, network, coin);
  return {
    orderType: sell ? 'SELL' : 'BUY',
    input: amount(input, from),
    output: amount(output, to),
    recipient,
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
    symbol: listed?.symbol ?? shortName(token),
    token,
  };
}
