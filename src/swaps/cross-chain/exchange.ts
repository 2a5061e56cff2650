/** What an exchange between chains can do, which one file per kind implements, and those of `networks.json`. */
import type { Clock } from '../../base/clock.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Network, Networks } from '../../chains/network.ts';
import type { NativeTransaction } from '../../chains/requests.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { NodeOptions } from '../../chains/terms.ts';
import type { Asset } from '../exchange.ts';
import type { Reach } from '../market.ts';
import type { CrossChainEntry } from './entry.ts';

/** A token of a network, or its coin. */
export interface ChainAsset extends Asset {
  secretType: SecretType;
  /** The network's id. */
  network: string;
}

export interface CrossChainQuestion {
  from: ChainAsset;
  to: ChainAsset;
  /** Of the input, in smallest units. */
  amount: bigint;
  /** In parts per million. */
  slippage: bigint;
}

/** Amounts in smallest units. */
export interface CrossChainQuote {
  /** After all fees. */
  output: bigint;
  /** The least that is paid out. For less, the input comes back, without `refundFee`. */
  minimum: bigint;
  refundFee: bigint;
  /** Of the output, in which they are. */
  liquidityFee: bigint;
  outboundFee: bigint;
  /** The first of them, in percent. */
  fee: number;
  /** How far the swap moves the price, in percent, without fees. */
  priceImpact: number;
  /** About how long from sending the input until the output is sent. */
  seconds: number;
  /** Approximate gas of the transaction that sends the input, where there is gas. */
  gas?: bigint | undefined;
}

export interface CrossChainOrder extends CrossChainQuestion {
  walletId: string;
  sender: string;
  recipient: string;
  /** The least output, in smallest units; undefined: the price less the slippage. */
  least: bigint | undefined;
}

/** The networks of both assets. */
export interface BothReaches {
  source: Reach;
  target: Reach;
}

/** The input is exact: none of them can buy an exact output. */
export interface CrossChainExchange {
  readonly name: string;
  /** Decimal places of amounts that count, whatever an asset's own. */
  readonly decimals: number;
  /** What can be swapped from a network for what on others. Asks nobody. */
  pairs(network: string): [from: ChainAsset, to: ChainAsset][];
  /** Throws `swap.<dex>.unavailable`. */
  rate(question: CrossChainQuestion): Promise<CrossChainQuote>;
  /**
   * The native requests that send the input, in order, by a price of now. Throws `swap.<dex>.unavailable`, and `swap.<dex>.get-price.failed`
   * if it gives less than `least`.
   */
  create(order: CrossChainOrder, reaches: BothReaches): Promise<NativeTransaction[]>;
}

/** How their nodes are reached. */
export interface CrossChainOptions extends NodeOptions {
  clock: Clock;
}

/** What `exchange.ts` of a kind's folder exports. */
interface CrossChainMaker {
  /** `networks`: those with nodes. */
  exchangeOf(
    entry: CrossChainEntry,
    networks: readonly Network[],
    options: CrossChainOptions,
  ): CrossChainExchange;
}

const exchangesByFile = new WeakMap<Networks, Promise<readonly CrossChainExchange[]>>();

/** One of each entry of `crossChain`, with what it keeps of its nodes' answers. Throws `internal.error` if an entry is invalid. */
export async function crossChainOf(
  file: Networks,
  options: CrossChainOptions,
): Promise<readonly CrossChainExchange[]> {
  if (!file.crossChain?.length) return [];
  const exchanges = exchangesByFile.get(file) ?? made(file, options);
  exchangesByFile.set(file, exchanges);
  // What could not be loaded may be loaded later.
  exchanges.catch(() => exchangesByFile.delete(file));
  return exchanges;
}

async function made(file: Networks, options: CrossChainOptions): Promise<readonly CrossChainExchange[]> {
  const { readCrossChain } = await import('./entry.ts');
  const { entries, issues } = readCrossChain(file);
  if (issues.length > 0) {
    const where = issues.map(({ path }) => path).join(', ');
    throw new ConnectError('internal.error', `networks.json is not valid at: ${where}`);
  }
  const networks = file.networks.filter(({ nodes }) => nodes.length > 0);
  return Promise.all(
    entries.map(async (entry) => {
      const { exchangeOf } = (await import(`./${entry.kind}/exchange.ts`)) as CrossChainMaker;
      return exchangeOf(entry, networks, options);
    }),
  );
}
