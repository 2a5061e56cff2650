/**
 * Exchanges with the contracts of Uniswap V2, and the many that follow them.
 * https://github.com/Uniswap/v2-periphery/blob/master/contracts/libraries/UniswapV2Library.sol
 */
import { decode, encodeCall } from '../../../chains/contracts/abi.ts';
import type { Caller, Step } from '../../caller.ts';
import type { UniswapV2Entry } from './entry.ts';
import type { Exchange, Question, Quote, PlannedSwap } from '../../exchange.ts';
import { less, MILLION, percentOf, ppmOf } from '../../percent.ts';
import { PoolExchange, type TransferFees } from '../../pool-exchange.ts';
import { hopKey, hopsOf } from '../../pools.ts';

/** A pool's reserves of the input and the output token. */
type Reserves = readonly [input: bigint, output: bigint];

/** Gas of a swap through one pool, and of each further pool, rounded up from what the contracts use. */
const GAS = 135_000n;
const GAS_OF_HOP = 50_000n;

/** Pools keep reserves in 112 bits. */
const MAX_RESERVE = 1n << 112n;

export function exchangeOf(entry: UniswapV2Entry, transferFees: TransferFees): Exchange {
  return new UniswapV2(entry, transferFees);
}

class UniswapV2 extends PoolExchange {
  protected readonly onTransferFees =
    'Such tokens are swapped only by input amount (SELL), if the pools hold enough.';
  readonly #fee: bigint;

  constructor(entry: UniswapV2Entry, transferFees: TransferFees) {
    super(entry, transferFees, (a, b) => [encodeCall('getPair', ['address', 'address'], [a, b])]);
    this.#fee = ppmOf(entry.fee);
  }

  protected async quotes(
    caller: Caller,
    question: Question,
    paths: readonly string[][],
    pools: ReadonlyMap<string, readonly (string | undefined)[]>,
  ): Promise<Quote[]> {
    const keys = [...new Set(paths.flatMap(hopsOf).map(hopKey))];
    const answers = await caller.read(
      keys.map((key) => ({ to: pools.get(key)![0]!, data: encodeCall('getReserves', [], []) })),
    );
    const byKey = new Map(keys.map((key, i) => [key, reservesIn(answers[i])]));
    return paths.flatMap((path) => {
      const reserves = hopsOf(path).map((hop) => {
        const pool = byKey.get(hopKey(hop));
        return pool && hop[0] > hop[1] ? ([pool[1], pool[0]] as const) : pool;
      });
      if (!reserves.every((pool) => pool !== undefined)) return [];
      return this.#quote(question, path, reserves) ?? [];
    });
  }

  #quote(
    { orderType, amount }: Question,
    path: readonly string[],
    reserves: readonly Reserves[],
  ): Quote | undefined {
    // Wrapping is 1:1, so the ends of a path are worth the same as the assets.
    const transferFees = path.map((token) => this.transferFee(token));
    const takes = transferFees.some((fee) => fee > 0n);
    if (takes && orderType === 'BUY') return undefined;
    const other =
      orderType === 'SELL'
        ? outputFor(amount, reserves, transferFees, this.#fee)
        : inputFor(amount, reserves, this.#fee);
    if (!other) return undefined;
    const [input, output] = orderType === 'SELL' ? [amount, other] : [other, amount];
    let [kept, of] = [1n, 1n];
    for (const ppm of [...reserves.map(() => this.#fee), ...transferFees]) {
      kept *= MILLION - ppm;
      of *= MILLION;
    }
    // What the input would give at the pools' prices before the trade moves them.
    const idealOutput = reserves.reduce((sum, [, out]) => sum * out, input * kept);
    const actualOutput = reserves.reduce((sum, [into]) => sum * into, output * of);
    return {
      input,
      output,
      fee: percentOf(of - kept, of),
      priceImpact: percentOf(idealOutput - actualOutput, idealOutput),
      gas: GAS + GAS_OF_HOP * BigInt(reserves.length - 1),
      route: { path, fees: reserves.map(() => Number(this.#fee)) },
    };
  }

  build({ from, to, orderType, amount, limit, route, recipient, deadline }: PlannedSwap): Step {
    const path = [...route.path];
    const takes = path.some((token) => this.transferFee(token) > 0n);
    const [fromCoin, toCoin] = [from.address === '', to.address === ''];
    const suffix = takes ? 'SupportingFeeOnTransferTokens' : '';
    const [name, first] =
      orderType === 'SELL'
        ? [`swapExact${fromCoin ? 'ETH' : 'Tokens'}For${toCoin ? 'ETH' : 'Tokens'}${suffix}`, [amount, limit]]
        : fromCoin
          ? ['swapETHForExactTokens', [limit, amount]]
          : [`swapTokensForExact${toCoin ? 'ETH' : 'Tokens'}`, [amount, limit]];
    // A coin input is the transaction's value, not an argument.
    const amounts = fromCoin ? first.slice(1) : first;
    return {
      to: this.router,
      value: fromCoin ? first[0]! : 0n,
      data: encodeCall(
        name,
        [...amounts.map(() => 'uint256'), 'address[]', 'address', 'uint256'],
        [...amounts, path, recipient, BigInt(deadline)],
      ),
    };
  }
}

function reservesIn(answer: string | undefined): Reserves | undefined {
  try {
    const [a, b] = decode(['uint112', 'uint112', 'uint32'], answer ?? '0x') as [bigint, bigint];
    return a > 0n && b > 0n ? [a, b] : undefined;
  } catch {
    return undefined;
  }
}

/** `getAmountsOut`, after transfer fees. Undefined if the pools cannot do it. */
function outputFor(
  amount: bigint,
  reserves: readonly Reserves[],
  transferFees: readonly bigint[],
  fee: bigint,
): bigint | undefined {
  let sum = less(amount, transferFees[0]!);
  for (const [i, [into, out]] of reserves.entries()) {
    if (sum === 0n || into + sum >= MAX_RESERVE) return undefined;
    const kept = sum * (MILLION - fee);
    sum = less((kept * out) / (into * MILLION + kept), transferFees[i + 1]!);
  }
  return sum > 0n ? sum : undefined;
}

/** `getAmountsIn`. Undefined if the pools do not hold that much. */
function inputFor(amount: bigint, reserves: readonly Reserves[], fee: bigint): bigint | undefined {
  let sum = amount;
  for (const [into, out] of [...reserves].reverse()) {
    if (sum >= out) return undefined;
    sum = (into * sum * MILLION) / ((out - sum) * (MILLION - fee)) + 1n;
    if (into + sum >= MAX_RESERVE) return undefined;
  }
  return sum;
}
