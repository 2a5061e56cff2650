/** Nonces of an account, and the transactions that used those that the database does not know. */
import { quantity } from '../../../src/chains/evm/node.ts';
import type { JsonRpc } from '../../../src/chains/evm/json-rpc.ts';
import {
  type Comparer,
  effectOfCall,
  type KnownTransaction,
  MARGIN_MS,
  type Missing,
  type MissingTransaction,
} from '../missing.ts';

/** Of one wallet; more are only counted. */
const MOST_SEARCHED = 200;

interface FoundTransaction {
  hash: string;
  from: string;
  nonce: string;
  to: string | null;
  value: string;
  input: string;
}

const hex = (block: number): string => `0x${block.toString(16)}`;

class EvmComparison {
  readonly #rpc: JsonRpc;
  readonly #head: number;
  /** The last block before the back-up. */
  readonly #before: number;

  private constructor(rpc: JsonRpc, head: number, before: number) {
    this.#rpc = rpc;
    this.#head = head;
    this.#before = before;
  }

  static async open(rpc: JsonRpc, since: number): Promise<EvmComparison> {
    const head = Number(quantity(await rpc.call('eth_blockNumber')));
    const isLater = async (block: number): Promise<boolean> => {
      const { timestamp } = (await rpc.call('eth_getBlockByNumber', hex(block), false)) as {
        timestamp: string;
      };
      return Number(quantity(timestamp)) * 1000 >= since - MARGIN_MS;
    };
    const first = await firstWhere(0, head, isLater);
    return new EvmComparison(rpc, head, Math.max(0, first - 1));
  }

  async compare(address: string, known: readonly KnownTransaction[]): Promise<Missing> {
    const next = await this.#count(address, 'pending');
    const own = await this.#ownNonces(known, next);
    // Only nodes that keep old states tell; without them, everything before the first known nonce is taken for the wallet's earlier life.
    const before = await this.#count(address, hex(this.#before)).catch(() => undefined);
    const from = before ?? Math.max(-1, ...own) + 1;
    const missing = Array.from({ length: Math.max(0, next - from) }, (_, at) => from + at).filter(
      (nonce) => !own.has(nonce),
    );
    const transactions: MissingTransaction[] = [];
    if (before !== undefined)
      for (const nonce of missing.slice(0, MOST_SEARCHED)) {
        const transaction = await this.#find(address, nonce);
        if (transaction) transactions.push(transaction);
      }
    return { count: missing.length, transactions };
  }

  async #count(address: string, block: string): Promise<number> {
    return Number(quantity(await this.#rpc.call('eth_getTransactionCount', address, block)));
  }

  /** One that was open at the time of the back-up may have lost its nonce to another one since. */
  async #ownNonces(known: readonly KnownTransaction[], next: number): Promise<Set<number>> {
    const own = new Set<number>();
    for (const { hash, state, claims } of known) {
      const { nonce, chainId = this.#rpc.network.chainId } = claims;
      if (nonce === undefined || chainId !== this.#rpc.network.chainId || state === 'refused') continue;
      const isOpen = state === 'signed' || state === 'sent';
      if (isOpen && nonce < next && !(await this.#rpc.call('eth_getTransactionByHash', hash))) continue;
      own.add(nonce);
    }
    return own;
  }

  async #find(address: string, nonce: number): Promise<MissingTransaction | undefined> {
    const isUsed = async (block: number): Promise<boolean> =>
      (await this.#count(address, hex(block))) > nonce;
    const isMined = await isUsed(this.#head);
    const block = isMined ? hex(await firstWhere(this.#before, this.#head, isUsed)) : 'pending';
    const { transactions } = (await this.#rpc.call('eth_getBlockByNumber', block, true)) as {
      transactions: FoundTransaction[];
    };
    const transaction = transactions.find(
      (one) => one.from.toLowerCase() === address.toLowerCase() && Number(quantity(one.nonce)) === nonce,
    );
    if (!transaction) return undefined;
    const { hash, to, value, input } = transaction;
    return { hash, effects: [effectOfCall({ to, value: quantity(value), data: input })] };
  }
}

/** The first number from `low` to `high` for which it is true; `high` if it is for none before. */
async function firstWhere(
  low: number,
  high: number,
  isTrue: (number: number) => Promise<boolean>,
): Promise<number> {
  let [first, last] = [low, high];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (await isTrue(middle)) last = middle;
    else first = middle + 1;
  }
  return first;
}

export const compareEvm: Comparer = async (node, since) => {
  const comparison = await EvmComparison.open(node as JsonRpc, since);
  return (address, known) => comparison.compare(address, known);
};
