/** What can be swapped for what. */
import type { TradingPair } from '../api/swap.ts';
import { coinOf } from '../chains/secret-type.ts';
import type { Caller } from './caller.ts';
import { pairsBetweenChains } from './cross-chain/between.ts';
import type { CrossChainExchange } from './cross-chain/exchange.ts';
import type { Asset, Exchange } from './exchange.ts';
import { type Market, marketOf, type Reach } from './market.ts';

const KEPT_MS = 5 * 60_000;
/** Pairs grow with the square of the tokens. */
const MAX_TOKENS = 100;

/**
 * All pairs among the coin and the first 100 listed tokens that an exchange has pools for, in both
 * directions, and those from here to other chains. One round trip, none if the answer is younger than 5 minutes. Throws an exchange's
 * error only if none answers.
 */
export async function swapPairs(
  reach: Reach,
  crossChain: readonly CrossChainExchange[] = [],
): Promise<TradingPair[]> {
  if (crossChain.length === 0) return pairsOnChain(reach);
  const abroad = pairsBetweenChains(reach, crossChain);
  const here = pairsOnChain(reach).catch((error: unknown) => {
    if (abroad.length > 0) return [];
    throw error;
  });
  return [...(await here), ...abroad];
}

async function pairsOnChain(reach: Reach): Promise<TradingPair[]> {
  const venue = await marketOf(reach);
  if (!venue) return [];
  const { market, caller } = venue;
  if (market.pairs && market.pairs.until > Date.now()) return market.pairs.answer;
  const answer = ask(reach, market, caller);
  const pairs = { answer, until: Date.now() + KEPT_MS };
  market.pairs = pairs;
  answer.catch(() => {
    if (market.pairs === pairs) market.pairs = undefined;
  });
  return answer;
}

async function ask({ chain, node }: Reach, market: Market, caller: Caller): Promise<TradingPair[]> {
  const { secretType } = chain;
  const assets: Asset[] = [
    { address: '', ...coinOf(node.network) },
    ...node.network.tokens
      .slice(0, MAX_TOKENS)
      .map(({ address, symbol, decimals }) => ({ address, symbol, decimals })),
  ];
  const answers = await Promise.allSettled(
    market.exchanges.map((exchange: Exchange) => exchange.pairs(caller, assets)),
  );
  const [failed] = answers.filter((answer) => answer.status === 'rejected');
  if (failed && answers.every((answer) => answer.status === 'rejected')) throw failed.reason;
  const shown = ({ symbol, address }: Asset) => ({ secretType, symbol, tokenAddress: address });
  const pairs = new Map<string, TradingPair>();
  for (const [a, b] of answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const)
      pairs.set(`${from.address}/${to.address}`, { from: shown(from), to: shown(to) });
  return [...pairs.values()];
}
