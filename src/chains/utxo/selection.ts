/**
 * Which coins pay. Deterministic: the same coins, amount and rate always give the same choice.
 *
 * 1. Coins that cost more to spend than they are worth at this rate are ignored.
 * 2. An exact match, found by branch and bound: coins whose sum needs no change. The excess goes to the fee, and is never more than a
 *    change output would cost and be too small for. It is taken unless it costs more than paying with change now and spending the
 *    change later.
 * 3. Otherwise the smallest single coin that pays with change; else the largest coins until they do. No coin of these could be left out.
 * 4. If only all coins together without change are enough, all of them.
 */
import type { UtxoProfile } from './profile.ts';
import { dustLimit, feeFor, isSegwit, virtualSize } from './script.ts';
import type { Utxo } from './draft.ts';

/** Maximum inputs per transaction: each one's previous transaction is fetched to check its amount. */
export const MAX_INPUTS = 100;
/** Steps of the search for an exact match. */
const MAX_STEPS = 20_000;

export interface Payment {
  /** Satoshi to the recipient. */
  value: bigint;
  /** Of all outputs but the change; the recipient's first. */
  scripts: readonly string[];
  /** The wallet's own script, which change goes to. */
  own: string;
  /** Satoshi per 1000 vB. */
  rate: bigint;
}

export interface Selection {
  inputs: Utxo[];
  /** 0n: no change output. */
  change: bigint;
  fee: bigint;
  size: number;
}

/** What a choice of inputs pays; undefined if they are not enough. Change that would be dust goes to the fee. */
function settle(params: UtxoProfile, inputs: readonly Utxo[], payment: Payment): Selection | undefined {
  const { value, scripts, own, rate } = payment;
  const left = sum(inputs) - value;
  const spent = inputs.map((coin) => coin.script);
  const plain = virtualSize(spent, scripts);
  if (inputs.length === 0 || left < feeFor(plain, rate)) return undefined;
  const withChange = virtualSize(spent, [...scripts, own]);
  const fee = feeFor(withChange, rate);
  if (left - fee >= dustLimit(params, own))
    return { inputs: [...inputs], change: left - fee, fee, size: withChange };
  return { inputs: [...inputs], change: 0n, fee: left, size: plain };
}

/** Undefined when the coins are not enough. */
export function select(params: UtxoProfile, coins: readonly Utxo[], payment: Payment): Selection | undefined {
  const worthwhile = usable(coins, payment.rate);
  const usual = withFewest(params, worthwhile, payment);
  const exact = withoutChange(params, worthwhile, payment);
  if (!exact || !usual) return exact ?? usual;
  const later = usual.change > 0n ? spendingCost(payment.own, payment.rate) : 0n;
  return exact.fee <= usual.fee + later ? exact : usual;
}

/** The most valuable coins first, without those that cost more than they are worth. */
export function worthwhile<T extends Utxo>(coins: readonly T[], rate: bigint): T[] {
  return coins.filter((coin) => coin.value > spendingCost(coin.script, rate)).sort(byValue);
}

/** Of those, as many as one transaction spends. */
export function usable<T extends Utxo>(coins: readonly T[], rate: bigint): T[] {
  return worthwhile(coins, rate).slice(0, MAX_INPUTS);
}

/** The maximum that all usable coins can pay to the first of `scripts`, without change. */
export function maxPayment(
  coins: readonly Utxo[],
  scripts: readonly string[],
  rate: bigint,
  inputs = usable(coins, rate),
): { value: bigint; fee: bigint; size: number } {
  const size = virtualSize(inputs.length ? inputs.map((coin) => coin.script) : [scripts[0]!], scripts);
  const fee = feeFor(size, rate);
  const value = sum(inputs) - fee;
  return { value: value > 0n ? value : 0n, fee, size };
}

export function sum(coins: readonly Utxo[]): bigint {
  return coins.reduce((total, { value }) => total + value, 0n);
}

function withFewest(params: UtxoProfile, coins: readonly Utxo[], payment: Payment): Selection | undefined {
  const single = coins
    .map((coin) => settle(params, [coin], payment))
    .filter((selection) => selection !== undefined && selection.change > 0n)
    .at(-1);
  if (single) return single;
  let smallest: Selection | undefined;
  for (let count = 1; count <= coins.length; count++) {
    const selection = settle(params, coins.slice(0, count), payment);
    if (selection && selection.change > 0n) return selection;
    smallest ??= selection;
  }
  return smallest;
}

/** Branch and bound over coins from the most to the least valuable: the least excess, then the fewest coins. */
function withoutChange(params: UtxoProfile, coins: readonly Utxo[], payment: Payment): Selection | undefined {
  const worth = coins.map((coin) => coin.value - spendingCost(coin.script, payment.rate));
  const rest = [...worth];
  for (let i = rest.length - 2; i >= 0; i--) rest[i]! += rest[i + 1]!;
  const bound = feeFor(virtualSize([], [...payment.scripts, payment.own]), payment.rate);
  // Sizes round up, so that the search reaches a little further than what is accepted.
  const highest = payment.value + 2n * bound + dustLimit(params, payment.own);
  const chosen: Utxo[] = [];
  let best: Selection | undefined;
  let steps = 0;
  const search = (index: number, have: bigint): void => {
    if (++steps > MAX_STEPS || have > highest) return;
    const candidate = have >= payment.value ? settle(params, chosen, payment) : undefined;
    if (candidate) {
      const better =
        !best ||
        candidate.fee < best.fee ||
        (candidate.fee === best.fee && candidate.inputs.length < best.inputs.length);
      if (candidate.change === 0n && better) best = candidate;
      return;
    }
    if (index >= coins.length || have + rest[index]! < payment.value) return;
    chosen.push(coins[index]!);
    search(index + 1, have + worth[index]!);
    chosen.pop();
    search(index + 1, have);
  };
  search(0, 0n);
  return best;
}

/** What an input with such a script costs at a rate, rounded up. */
function spendingCost(script: string, rate: bigint): bigint {
  return feeFor(isSegwit(script) ? 68 : 148, rate);
}

/** By value, then by outpoint, so that the order in which a node lists coins does not matter. */
function byValue(a: Utxo, b: Utxo): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  return a.txid === b.txid ? a.vout - b.vout : a.txid < b.txid ? -1 : 1;
}
