/**
 * Exchanges with the contracts of Uniswap V3: QuoterV2 gives prices, SwapRouter swaps, through pools of several fees.
 * https://github.com/Uniswap/v3-periphery/tree/main/contracts
 */
import { type AbiValue, decode, encodeCall } from '../../../chains/contracts/abi.ts';
import type { Caller, Step } from '../../caller.ts';
import type { UniswapV3Entry } from './entry.ts';
import type { Exchange, Question, Quote, Route, PlannedSwap } from '../../exchange.ts';
import { MILLION, percentOf, ppmOf } from '../../percent.ts';
import { PoolExchange, type TransferFees } from '../../pool-exchange.ts';
import { hopKey, hopsOf } from '../../pools.ts';

/** A pool's price limits (TickMath): a trade that reaches one was not filled. */
const LOWEST_PRICE = 4295128739n + 1n;
const HIGHEST_PRICE = 1461446703485210103287273052203988822378723970342n - 1n;
/**
 * Gas of a swap apart from its pools, of each pool, and of each initialised tick that the price crosses:
 * rounded up from what the contracts use. Not the quoter's own estimate, which is lower if earlier calls have
 * read the same pools.
 */
const GAS = 60_000n;
const GAS_OF_HOP = 80_000n;
const GAS_OF_TICK = 31_000n;
/** Stands for the router itself in calls of the router. */
const ROUTER = `0x${'0'.repeat(40)}`;

export function exchangeOf(entry: UniswapV3Entry, transferFees: TransferFees): Exchange {
  return new UniswapV3(entry, transferFees);
}

class UniswapV3 extends PoolExchange {
  protected readonly onTransferFees = 'Such tokens are not swapped there.';
  readonly #quoter: string;
  /** Fee tiers in parts per million, as pools count them. */
  readonly #fees: readonly number[];

  constructor(entry: UniswapV3Entry, transferFees: TransferFees) {
    const fees = entry.fees.map((fee) => Number(ppmOf(fee)));
    super(entry, transferFees, (a, b) =>
      fees.map((fee) => encodeCall('getPool', ['address', 'address', 'uint24'], [a, b, BigInt(fee)])),
    );
    this.#quoter = entry.quoter;
    this.#fees = fees;
  }

  /** Its router counts what a pool sends, not what arrives, so tokens with transfer fees have no price here. */
  protected async quotes(
    caller: Caller,
    question: Question,
    paths: readonly string[][],
    pools: ReadonlyMap<string, readonly (string | undefined)[]>,
  ): Promise<Quote[]> {
    const plain = paths.filter((path) => path.every((token) => this.transferFee(token) === 0n));
    const routes = plain.flatMap((path) => this.#routes(path, pools));
    const poolOf = (route: Route) =>
      hopsOf(route.path).map((hop, i) => pools.get(hopKey(hop))![this.#fees.indexOf(route.fees[i]!)]!);
    const used = [...new Set(routes.flatMap(poolOf))];
    const answers = await caller.read([
      ...used.map((to) => ({ to, data: encodeCall('slot0', [], []) })),
      ...routes.map((route) => ({ to: this.#quoter, data: quoteCall(question, route) })),
    ]);
    const prices = new Map(used.map((pool, i) => [pool, priceIn(answers[i])]));
    return routes.flatMap((route, i) => {
      const { amount: other, ticks = 0n } = amountIn(answers[used.length + i]) ?? {};
      const before = poolOf(route).map((pool) => prices.get(pool));
      if (!other || !before.every((price) => price !== undefined)) return [];
      const gas = GAS + GAS_OF_HOP * BigInt(route.fees.length) + GAS_OF_TICK * ticks;
      return quoteOf(question, route, other, before, gas);
    });
  }

  /** A route for every way to choose one pool for each hop. */
  #routes(path: readonly string[], pools: ReadonlyMap<string, readonly (string | undefined)[]>): Route[] {
    let choices: number[][] = [[]];
    for (const hop of hopsOf(path)) {
      const fees = this.#fees.filter((_, i) => pools.get(hopKey(hop))![i] !== undefined);
      choices = choices.flatMap((chosen) => fees.map((fee) => [...chosen, fee]));
    }
    return choices.map((fees) => ({ path, fees }));
  }

  build({ from, to, orderType, amount, limit, route, recipient, deadline }: PlannedSwap): Step {
    const [fromCoin, toCoin] = [from.address === '', to.address === ''];
    const terms = [toCoin ? ROUTER : recipient, BigInt(deadline), amount, limit];
    const name = orderType === 'SELL' ? 'exactInput' : 'exactOutput';
    const swap =
      route.fees.length === 1
        ? encodeCall(
            `${name}Single`,
            ['(address,address,uint24,address,uint256,uint256,uint256,uint160)'],
            [[route.path[0]!, route.path[1]!, BigInt(route.fees[0]!), ...terms, 0n]],
          )
        : encodeCall(
            name,
            ['(bytes,address,uint256,uint256,uint256)'],
            [[pathBytes(route, orderType), ...terms]],
          );
    const calls = [swap];
    // What the pool did not take is refunded.
    if (fromCoin) calls.push(encodeCall('refundETH', [], []));
    const least = orderType === 'SELL' ? limit : amount;
    if (toCoin) calls.push(encodeCall('unwrapWETH9', ['uint256', 'address'], [least, recipient]));
    return {
      to: this.router,
      value: fromCoin ? (orderType === 'SELL' ? amount : limit) : 0n,
      data: calls.length === 1 ? swap : encodeCall('multicall', ['bytes[]'], [calls as AbiValue]),
    };
  }
}

function quoteCall({ orderType, amount }: Question, route: Route): string {
  const name = orderType === 'SELL' ? 'quoteExactInput' : 'quoteExactOutput';
  return encodeCall(name, ['bytes', 'uint256'], [pathBytes(route, orderType), amount]);
}

/** Tokens with the pools' fees between them; reversed if the output is exact. */
function pathBytes({ path, fees }: Route, orderType: Question['orderType']): string {
  const [tokens, between] = orderType === 'SELL' ? [path, fees] : [[...path].reverse(), [...fees].reverse()];
  return tokens.reduce((bytes, token, i) => {
    const fee = i === 0 ? '' : between[i - 1]!.toString(16).padStart(6, '0');
    return bytes + fee + token.slice(2);
  }, '0x');
}

/**
 * The other side's amount, and how many ticks the price crosses. Undefined if a pool's price limit ends the
 * trade early.
 */
function amountIn(answer: string | undefined): { amount: bigint; ticks: bigint } | undefined {
  try {
    const [amount, prices, passed] = decode(
      ['uint256', 'uint160[]', 'uint32[]', 'uint256'],
      answer ?? '0x',
    ) as [bigint, bigint[], bigint[], bigint];
    const ended = prices.some((price) => price === LOWEST_PRICE || price === HIGHEST_PRICE);
    return ended || amount === 0n ? undefined : { amount, ticks: passed.reduce((sum, one) => sum + one, 0n) };
  } catch {
    return undefined;
  }
}

/** The square root of the first token's price in the second, times 2^96. */
function priceIn(answer: string | undefined): bigint | undefined {
  const price = answer && answer.length >= 66 ? BigInt(answer.slice(0, 66)) : 0n;
  return price > 0n ? price : undefined;
}

function quoteOf(
  { orderType, amount }: Question,
  route: Route,
  other: bigint,
  prices: readonly bigint[],
  gas: bigint,
): Quote {
  const [input, output] = orderType === 'SELL' ? [amount, other] : [other, amount];
  let [kept, of] = [1n, 1n];
  // What the input would give at the pools' prices before the trade moves them.
  let [idealOutput, actualOutput] = [input, output];
  for (const [i, [from, to]] of hopsOf(route.path).entries()) {
    kept *= MILLION - BigInt(route.fees[i]!);
    of *= MILLION;
    const [square, one] = [prices[i]! ** 2n, 1n << 192n];
    idealOutput *= from < to ? square : one;
    actualOutput *= from < to ? one : square;
  }
  idealOutput *= kept;
  actualOutput *= of;
  return {
    input,
    output,
    fee: percentOf(of - kept, of),
    priceImpact: percentOf(idealOutput - actualOutput, idealOutput),
    gas,
    route,
  };
}
