/** What gas costs now: EIP-1559 (https://eips.ethereum.org/EIPS/eip-1559), or one price where blocks have no base fee. */
import type { Node } from '../terms.ts';
import { rpcOf } from './json-rpc.ts';
import { quantity, required, tolerant } from './node.ts';
import type { EvmProfile } from './profile.ts';
import { type Head, readHead } from './simulation.ts';

const GWEI = 1_000_000_000n;

export interface FeeReads {
  /** Base fee of the next block, which may be 0n; undefined where blocks have none. */
  baseFee: bigint | undefined;
  tip: bigint;
  /** The node's one price for type 0. */
  gasPrice: bigint;
  /** The latest block. */
  head: Head | undefined;
}

export type Fees =
  | { type: 0; gasPrice: bigint; expected: bigint }
  | { type: 2; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; expected: bigint };

/** Up to four calls in one batch. Neither price is below what the network's nodes take (`minTip`). */
export async function readFees(node: Node, { legacy, minGasPrice }: EvmProfile): Promise<FeeReads> {
  const rpc = rpcOf(node);
  const [history, tip, asked, head] = await Promise.all([
    legacy ? undefined : tolerant(rpc.call('eth_feeHistory', '0x5', 'latest', [50]), readHistory),
    legacy ? undefined : tolerant(rpc.call('eth_maxPriorityFeePerGas'), quantity),
    required(rpc.call('eth_gasPrice'), quantity),
    readHead(node),
  ]);
  // A history has 0 where blocks have no base fee, too.
  const next =
    head?.baseFee === undefined ? history?.baseFee || undefined : (history?.baseFee ?? head.baseFee);
  const baseFee = legacy ? undefined : next;
  const minTip = BigInt(node.network.minTip ?? 0);
  return {
    baseFee,
    tip: atLeast(minTip, tip ?? history?.tip ?? GWEI),
    gasPrice: atLeast(minGasPrice, atLeast((baseFee ?? 0n) + minTip, asked)),
    head,
  };
}

function atLeast(least: bigint, price: bigint): bigint {
  return price < least ? least : price;
}

/** What a request asks to pay, in wei per gas: one price, or the two of type 2. */
export interface GivenPrices {
  gasPrice?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  maxPriorityFeePerGas?: bigint | undefined;
}

/**
 * `nudge` raises computed prices by a quarter, to replace a transaction sent with the usual ones (nodes
 * require a tenth).
 */
export function feesOf({ baseFee, tip, gasPrice }: FeeReads, given: GivenPrices = {}, nudge = false): Fees {
  const raise = (price: bigint) => (nudge ? (price * 5n + 3n) / 4n || 1n : price);
  if (given.gasPrice !== undefined) return { type: 0, gasPrice: given.gasPrice, expected: given.gasPrice };
  if (baseFee === undefined) return { type: 0, gasPrice: raise(gasPrice), expected: raise(gasPrice) };
  const ownTip = given.maxPriorityFeePerGas ?? raise(tip);
  // Twice the base fee stays valid for five full blocks in a row.
  const maxFeePerGas =
    given.maxFeePerGas ??
    (given.maxPriorityFeePerGas === undefined ? raise(2n * baseFee + tip) : 2n * baseFee + ownTip);
  const maxPriorityFeePerGas = ownTip < maxFeePerGas ? ownTip : maxFeePerGas;
  const price = baseFee + maxPriorityFeePerGas;
  return {
    type: 2,
    maxFeePerGas,
    maxPriorityFeePerGas,
    expected: price < maxFeePerGas ? price : maxFeePerGas,
  };
}

/** The lowest prices that replace these: nodes require a tenth more in both fields. */
export function bump(price: bigint): bigint {
  return (price * 9n + 7n) / 8n || 1n;
}

function readHistory(value: unknown): { baseFee: bigint; tip: bigint | undefined } {
  const { baseFeePerGas, reward } = value as { baseFeePerGas?: unknown[]; reward?: unknown[][] };
  const rewards = (reward ?? []).map((row) => quantity(row?.[0])).filter((r) => r > 0n);
  rewards.sort((a, b) => (a < b ? -1 : 1));
  return { baseFee: quantity(baseFeePerGas?.at(-1)), tip: rewards[rewards.length >> 1] };
}
