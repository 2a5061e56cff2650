/** Swaps from one chain to another: what `swapPairs`, `swapRates` and `createSwap` answer for them. */
import type { CreateSwap, ExchangeRate, ExchangeRates, RatesQuery, TradingPair } from '../../api/swap.ts';
import { loadPayloads } from '../../chains/load.ts';
import { type BuiltTransaction, withOpenFields } from '../../chains/requests/open-fields.ts';
import { invalid } from '../../chains/requests/payloads.ts';
import { gasCoinOf, type SecretType } from '../../chains/secret-type.ts';
import { callerOf } from '../caller.ts';
import type { Parties } from '../create.ts';
import { noExchange, swapError } from '../failures.ts';
import type { Reach } from '../market.ts';
import { less } from '../percent.ts';
import { feeOf, type Quoted, quoted, rateBetween, ratesOf, readAmount, soon } from '../quotes.ts';
import type { ReachOf } from '../rates.ts';
import type { ChainAsset, CrossChainExchange, CrossChainQuote } from './exchange.ts';

type Pair = [from: ChainAsset, to: ChainAsset];

/** The fields that name what is swapped for what. */
type Sides = Pick<RatesQuery, 'fromToken' | 'toToken'> & {
  fromSecretType: SecretType;
  toSecretType: SecretType;
};

/** From the network to others. */
export function pairsBetweenChains({ node }: Reach, exchanges: readonly CrossChainExchange[]): TradingPair[] {
  const shown = ({ secretType, symbol, address }: ChainAsset) => ({
    secretType,
    symbol,
    tokenAddress: address,
  });
  const pairs = exchanges
    .flatMap((exchange) => exchange.pairs(node.network.id))
    .map(([from, to]): TradingPair => ({ from: shown(from), to: shown(to) }));
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}

/** Those that swap anything between the two chains, with what. */
function tradersOf(
  { fromSecretType, toSecretType }: Sides,
  { chain, node }: Reach,
  exchanges: readonly CrossChainExchange[],
): { exchange: CrossChainExchange; pairs: Pair[] }[] {
  if (chain.secretType !== fromSecretType) return [];
  return exchanges
    .map((exchange) => ({
      exchange,
      pairs: exchange.pairs(node.network.id).filter(([, to]) => to.secretType === toSecretType),
    }))
    .filter(({ pairs }) => pairs.length > 0);
}

/** Throws `swap.<dex>.exchange-not-found`. */
function pairOf({ name }: CrossChainExchange, pairs: readonly Pair[], { fromToken, toToken }: Sides): Pair {
  const pair = pairs.find(
    ([from, to]) => isSameToken(from.address, fromToken ?? '') && isSameToken(to.address, toToken ?? ''),
  );
  if (pair) return pair;
  throw swapError(name, 'exchange-not-found', `${name} does not swap these two. Pairs are what it swaps.`);
}

/** Tron's addresses differ by case, those of Ethereum do not. */
function isSameToken(one: string, other: string): boolean {
  return one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase());
}

/** Throws `request.invalid` for what would be lost on the way. */
function readInput(
  field: string,
  value: unknown,
  { decimals: kept, name }: CrossChainExchange,
  asset: ChainAsset,
): bigint {
  const amount = readAmount(field, value, asset);
  const lost = asset.decimals > kept ? amount % 10n ** BigInt(asset.decimals - kept) : 0n;
  if (lost === 0n) return amount;
  throw invalid(field, `must have at most ${kept} decimal places: ${name} would not see the rest`);
}

interface RatesQuestion {
  query: RatesQuery & Sides;
  /** In parts per million. */
  slippage: bigint;
  /** Milliseconds that an exchange has. */
  deadline: number;
}

interface PairQuote {
  pair: Pair;
  quote: CrossChainQuote & { input: bigint };
}

export async function ratesBetweenChains(
  { query, slippage, deadline }: RatesQuestion,
  reach: Reach | undefined,
  exchanges: readonly CrossChainExchange[],
): Promise<ExchangeRates> {
  const traders = reach ? tradersOf(query, reach, exchanges) : [];
  if (!reach || traders.length === 0) return { exchangeRates: [], bestRate: null };
  const gasPrice = soon(gasPriceOn(reach), deadline).catch(() => undefined);
  const answers = await Promise.all(
    traders.map(({ exchange, pairs }): Promise<Quoted<PairQuote>> => {
      const ask = async (): Promise<PairQuote> => {
        const pair = pairOf(exchange, pairs, query);
        const [from, to] = pair;
        requireSell(exchange, query);
        const amount = readInput('amount', query.amount, exchange, from);
        return {
          pair,
          quote: { ...(await exchange.rate({ from, to, amount, slippage })), input: amount },
        };
      };
      return quoted(exchange.name, ask(), deadline);
    }),
  );
  const price = await gasPrice;
  const networkFee = ({ gas }: CrossChainQuote) =>
    gas !== undefined &&
    price !== undefined && { networkFee: feeOf(gas * price, gasCoinOf(reach.node.network)) };
  return ratesOf(
    answers,
    (name, { pair, quote }) => ({ ...rateOf(name, pair, quote, slippage), ...networkFee(quote) }),
    (one, other) => one.quote.output > other.quote.output,
  );
}

async function gasPriceOn({ chain, node }: Reach): Promise<bigint | undefined> {
  const caller = await callerOf(chain.secretType, node);
  return caller?.gasPrice();
}

function requireSell({ name }: CrossChainExchange, { orderType }: Pick<RatesQuery, 'orderType'>): void {
  if (orderType !== 'SELL')
    throw swapError(name, 'sell-only', `${name} cannot pay out an exact amount: choose the one to sell.`);
}

function rateOf(name: string, [from, to]: Pair, quote: PairQuote['quote'], slippage: bigint): ExchangeRate {
  const { seconds, liquidityFee, outboundFee, minimum, refundFee } = quote;
  return {
    ...rateBetween(name, { from, to, orderType: 'SELL', slippage }, quote),
    crossChain: {
      seconds,
      liquidityFee: feeOf(liquidityFee, to),
      outboundFee: feeOf(outboundFee, to),
      rawMinimumOutput: minimum.toString(),
      refundFee: feeOf(refundFee, from),
    },
  };
}

interface SwapOrder {
  body: CreateSwap & Sides;
  /** In parts per million. */
  slippage: bigint;
  parties: Parties;
}

export async function createBetweenChains(
  { body, slippage, parties }: SwapOrder,
  reachOf: ReachOf,
  exchanges: readonly CrossChainExchange[],
): Promise<BuiltTransaction[]> {
  const { walletId, fromSecretType, toSecretType } = body;
  const source = await reachOf(fromSecretType);
  const trader =
    source && tradersOf(body, source, exchanges).find(({ exchange }) => exchange.name === body.exchange);
  const target = trader && (await reachOf(toSecretType, trader.pairs[0]![1].network));
  if (!trader || !target)
    throw noExchange(
      body.exchange,
      `There is no exchange “${body.exchange}” from ${fromSecretType} to ${toSecretType}.`,
    );
  const { exchange, pairs } = trader;
  const [from, to] = pairOf(exchange, pairs, body);
  requireSell(exchange, body);
  if (body.destinationWalletId == null)
    throw invalid(
      'destinationWalletId',
      `is required: a wallet of ${toSecretType}, which receives the output`,
    );
  const { network } = target.node;
  if (!target.chain.isAddress(parties.to, network.kind))
    throw invalid('destinationWalletId', `must be a wallet on ${network.name}`);
  const amount = readInput('inputAmount', body.inputAmount ?? undefined, exchange, from);
  /** As the user saw it in the rate. */
  const output = body.outputAmount == null ? undefined : readAmount('outputAmount', body.outputAmount, to);
  const requests = await exchange.create(
    {
      walletId,
      from,
      to,
      amount,
      slippage,
      sender: parties.from,
      recipient: parties.to,
      least: output === undefined ? undefined : less(output, slippage) || 1n,
    },
    { source, target },
  );
  const payloads = await loadPayloads(fromSecretType);
  return requests.map((request) => withOpenFields(request, payloads));
}
