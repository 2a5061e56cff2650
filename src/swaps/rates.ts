/** What the exchanges pay for an amount, or charge for it. */
import type { ExchangeRates, RatesQuery } from '../api/swap.ts';
import { checksum } from '../chains/contracts/evm-address.ts';
import { gasCoinOf, type SecretType } from '../chains/secret-type.ts';
import type { AddressForm } from './caller.ts';
import { ratesBetweenChains } from './cross-chain/between.ts';
import type { CrossChainExchange } from './cross-chain/exchange.ts';
import type { Question, Quote } from './exchange.ts';
import { marketOf, type Reach } from './market.ts';
import { readSlippage } from './percent.ts';
import { isBetter } from './pool-exchange.ts';
import { feeOf, quoted, rateBetween, ratesOf, readAmount, soon } from './quotes.ts';

/** Gives access to a chain's nodes, on the network with this id if one is named; undefined where it has none. */
export type ReachOf = (
  secretType: SecretType,
  network?: string,
) => Promise<Reach | undefined> | Reach | undefined;

/** An exchange that takes longer has no rate. */
const DEADLINE_MS = 6_000;

export interface RatesOptions {
  /** Milliseconds that an exchange has. */
  deadline?: number;
  /** Those that swap between chains (`crossChainOf`). */
  crossChain?: readonly CrossChainExchange[];
}

/**
 * All exchanges are asked concurrently, for `deadline` ms; one without a rate is in `noRates` with the
 * reason. Where none swaps between the two chains, or on the one, nothing is asked and the result is empty. At most two
 * round trips per exchange, one if its pools are known; one more for unlisted tokens. Throws
 * `request.invalid`, and `node.unreachable` if that is why there is no rate at all.
 */
export async function swapRates(
  query: RatesQuery,
  reachOf: ReachOf,
  { deadline = DEADLINE_MS, crossChain = [] }: RatesOptions = {},
): Promise<ExchangeRates> {
  const slippage = readSlippage(query.slippage);
  if (crossChain.length > 0 && isBetweenChains(query)) {
    return ratesBetweenChains({ query, slippage, deadline }, await reachOf(query.fromSecretType), crossChain);
  }
  const reach = await reachOfBoth(query, reachOf);
  const venue = reach && (await marketOf(reach));
  if (!venue) return { exchangeRates: [], bestRate: null };
  const { market, caller } = venue;
  const { orderType } = query;
  const assets = await market.assets(reach, caller, query);
  const exact = orderType === 'SELL' ? assets.from : assets.to;
  const question = { ...assets, orderType, amount: readAmount('amount', query.amount, exact) };
  // It is batched with the first exchange's calls, and optional: a rate is still valid without it.
  const price = soon(market.gasPrice(caller), deadline).catch(() => undefined);
  const answers = await Promise.all(
    market.exchanges.map(async (exchange, i) => {
      // Each exchange gets requests of its own: calls made at the same time would be batched, and wait for the slowest.
      if (i > 0) await new Promise((resolve) => setTimeout(resolve, 0));
      return quoted(exchange.name, exchange.rate(caller, question), deadline);
    }),
  );
  const gasCoin = gasCoinOf(reach.node.network);
  const gasPrice = await price;
  return ratesOf<Quote>(
    answers,
    (name, quote) => ({
      ...rateBetween(name, { ...question, slippage }, quote),
      route: routeOf(quote, question, market.addresses),
      ...(gasPrice !== undefined && { networkFee: feeOf(quote.gas * gasPrice, gasCoin) }),
    }),
    (one, other) => isBetter(one, other, question),
  );
}

type Chains = Pick<RatesQuery, 'fromSecretType' | 'toSecretType'>;

/** NEO is a value of the interface, but no chain. */
export function isBetweenChains<C extends Chains>(
  chains: C,
): chains is C & { fromSecretType: SecretType; toSecretType: SecretType } {
  const { fromSecretType, toSecretType } = chains;
  return fromSecretType !== toSecretType && fromSecretType !== 'NEO' && toSecretType !== 'NEO';
}

/** The chain of a swap; undefined for two chains, and for one that nobody can reach. */
export async function reachOfBoth(
  { fromSecretType, toSecretType }: Chains,
  reachOf: ReachOf,
): Promise<Reach | undefined> {
  return fromSecretType === toSecretType && fromSecretType !== 'NEO' ? reachOf(fromSecretType) : undefined;
}

function routeOf({ route }: Quote, { from, to }: Question, { written }: AddressForm): string[] {
  const between = route.path.slice(1, -1).map(checksum);
  return [from.address, ...between, to.address].map((address) => address && written(address));
}
