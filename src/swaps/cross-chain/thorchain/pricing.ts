/**
 * What a swap at THORChain gives, by its pools: https://gitlab.com/thorchain/thornode, `x/thorchain/swap_current.go`. Amounts are in
 * hundred-millionths, shares in ten-thousandths (bps).
 */
import { less } from '../../percent.ts';
import { chainOf, NotAvailable, type Pool, type Pools } from './assets.ts';

const BPS = 10_000n;
const RUNE = 'THOR.RUNE';

/** What prices depend on besides the pools. */
export interface Terms {
  pools: Pools;
  /** The least slip that is charged, in bps: mimir's L1SLIPMINBPS. */
  minSlip: bigint;
  /** What paying out costs on the destination, in its coin. */
  outboundFee: bigint;
}

export interface Price {
  /** What is paid out, after all fees. */
  output: bigint;
  /** Before `outboundFee`. */
  gross: bigint;
  /** Of the pools, in the output's asset. */
  liquidityFee: bigint;
  outboundFee: bigint;
  /** How much the pools' fees take of the output, in bps. */
  slip: bigint;
  /** The output if the amount moved no price, before all fees. */
  ideal: bigint;
  /** By how much two exact calculations can differ. */
  rounding: bigint;
}

/** One swap: `input` into a pool that holds `from` of the same and `to` of the other. */
export function swapOnce(
  input: bigint,
  from: bigint,
  to: bigint,
  minSlip: bigint,
): { output: bigint; fee: bigint; slip: bigint } {
  const depth = input + from;
  const slip = nearest(BPS * input, depth);
  if (slip >= minSlip) {
    const square = depth * depth;
    return { output: (input * from * to) / square, fee: (input * input * to) / square, slip };
  }
  const fee = (minSlip * input * to) / (BPS * depth);
  const gross = (input * to) / depth;
  return { output: gross > fee ? gross - fee : 0n, fee, slip: minSlip };
}

/** A quotient rounded to the nearest, and of two as near to the even one, as Cosmos' decimals are. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const rest = 2n * (dividend % divisor);
  return rest > divisor || (rest === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** Throws `NotAvailable` if a pool takes no swaps, or nothing is left after fees. */
export function priceOf(
  { pools, minSlip, outboundFee: coinFee }: Terms,
  { from, to, amount }: { from: string; to: string; amount: bigint },
): Price {
  const source = openPool(from, pools);
  const target = openPool(to, pools);
  if (source === target) throw new NotAvailable('pool', `${from} is what it would be swapped for.`);
  const first = swapOnce(amount, source.assetDepth, source.runeDepth, minSlip);
  const rune = roundTo(first.output, source.decimals);
  const second = swapOnce(rune, target.runeDepth, target.assetDepth, minSlip);
  const gross = roundTo(second.output, target.decimals);
  // The fee is taken after the swap has moved both pools.
  const moved = pools.map((pool) =>
    pool === source
      ? { ...pool, assetDepth: pool.assetDepth + amount, runeDepth: pool.runeDepth - rune }
      : pool === target
        ? { ...pool, assetDepth: pool.assetDepth - gross, runeDepth: pool.runeDepth + rune }
        : pool,
  );
  const outboundFee = feeIn(to, coinFee, moved);
  const output = roundTo(gross - outboundFee, target.decimals);
  if (output <= 0n)
    throw new NotAvailable('fees-exceed-output', 'Nothing would be left of it after what paying out costs.');
  const liquidityFee = (first.fee * target.assetDepth) / target.runeDepth + second.fee;
  return {
    output,
    gross,
    liquidityFee,
    outboundFee,
    slip: (liquidityFee * BPS) / (gross + liquidityFee),
    ideal: worthIn(to, amount, from, pools),
    rounding: 2n * unitOf(target.decimals) + target.assetDepth / target.runeDepth,
  };
}

/**
 * The same price with the fee for paying out a token that the node tells: each token's has a multiplier of its own, between 1.5 and 3, so
 * that it may be half or double that of the coin. Throws `NotAvailable` if the node's output differs by more than rounding and 0.1 %.
 */
export function agreedPrice(
  ours: Price,
  theirs: { output: bigint; outboundFee: bigint },
  isCoin: boolean,
): Price {
  const { gross, rounding } = ours;
  const fee = theirs.outboundFee;
  const hasFee =
    !isCoin && 2n * fee + rounding >= ours.outboundFee && fee <= 2n * ours.outboundFee + rounding;
  const price = hasFee ? { ...ours, outboundFee: fee, output: gross - fee } : ours;
  const difference =
    price.output > theirs.output ? price.output - theirs.output : theirs.output - price.output;
  if (price.output <= 0n || difference > price.output / 1000n + rounding)
    throw new NotAvailable('price-differs', 'What the node promises is not what its pools give.');
  return price;
}

/** The least output that is accepted; never 0. `slippage` in parts per million. */
export function limitOf({ output }: Pick<Price, 'output'>, slippage: bigint): bigint {
  const limit = less(output, slippage);
  if (limit <= 0n) throw new NotAvailable('below-minimum', 'It is too little to have a limit.');
  return limit;
}

/** What paying out an asset costs, where it costs `coinFee` of its chain's coin. */
export function feeIn(asset: string, coinFee: bigint, pools: Pools): bigint {
  const coin = chainOf(asset)?.coin;
  if (coin === asset) return coinFee;
  const gas = openPool(coin ?? RUNE, pools);
  const target = openPool(asset, pools);
  const rune = nearest(coinFee * gas.runeDepth, gas.assetDepth);
  return roundTo(nearest(rune * target.assetDepth, target.runeDepth), target.decimals);
}

/** An amount of one asset in another, at the price of the pools without any fee. */
export function worthIn(to: string, amount: bigint, from: string, pools: Pools): bigint {
  if (from === to) return amount;
  const source = openPool(from, pools);
  const target = openPool(to, pools);
  return (((amount * source.runeDepth) / source.assetDepth) * target.assetDepth) / target.runeDepth;
}

function openPool(asset: string, pools: Pools): Pool {
  const pool = pools.find((each) => each.asset === asset);
  if (!pool) throw new NotAvailable('pool', `There is no pool of ${asset}.`);
  if (!pool.isOpen || pool.assetDepth <= 0n || pool.runeDepth <= 0n)
    throw new NotAvailable('pool', `The pool of ${asset} takes no swaps now.`);
  return pool;
}

function roundTo(amount: bigint, decimals: number): bigint {
  return amount - (amount % unitOf(decimals));
}

/** The smallest amount of an asset, in hundred-millionths. */
function unitOf(decimals: number): bigint {
  return decimals < 8 ? 10n ** BigInt(8 - decimals) : 1n;
}
