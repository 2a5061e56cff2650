/** Swaps in parts (`x/thorchain/types/type_streaming_swap.go`): one part each so many blocks, paid out after the last one. */
import { type Books, half, SwapFailure } from './books.ts';

/** Blocks that a swap in parts may take (`constants_v1.go`). */
const LONGEST = 14_400n;
const BPS = 10_000n;

/** Amounts are in hundred-millionths. */
export interface StreamOrder {
  from: string;
  to: string;
  destination: string;
  deposit: bigint;
  /** Of all parts together, before the fee for paying out. */
  limit: bigint;
  /** Blocks from a part to the next. */
  interval: bigint;
  /** Of parts; 0 for as many as are allowed. */
  quantity: bigint;
}

/**
 * How many parts are allowed (`getMaxSwapQuantity`): each is at least the least slip of the shallower pool, and all of them end in a day. 0
 * without an interval.
 */
export function mostParts(
  books: Books,
  { from, to, deposit, interval }: Pick<StreamOrder, 'from' | 'to' | 'deposit' | 'interval'>,
): bigint {
  if (interval === 0n) return 0n;
  const [one, other] = [from, to].map((asset) => half(books.minSlip * books.pool(asset).balanceRune, BPS));
  const least = books.runeIn(from, one! < other! ? one! : other!);
  if (least === 0n) return 1n;
  const [most, inTime] = [deposit / least, LONGEST / interval];
  if (most > inTime) return inTime;
  return most || 1n;
}

export class Stream {
  /** Of parts that were tried, and THORChain's block of the last one. */
  count = 0n;
  lastHeight = 0;
  /** Of the deposit, and what it gave. */
  swapped = 0n;
  gained = 0n;
  /** Parts that failed, the first is 1. */
  readonly failures: { part: bigint; reason: string }[] = [];
  readonly interval: bigint;
  readonly quantity: bigint;

  constructor(
    readonly order: StreamOrder,
    private readonly books: Books,
  ) {
    this.interval = order.interval < LONGEST ? order.interval : LONGEST;
    const most = mostParts(books, { ...order, interval: this.interval });
    this.quantity = order.quantity === 0n || order.quantity > most ? most : order.quantity;
  }

  /** Whether the next part's block has come. */
  get isDue(): boolean {
    const since = BigInt(this.books.height - this.lastHeight);
    return this.count === 0n || (since > 0n && since % this.interval === 0n);
  }

  get isDone(): boolean {
    return this.count >= this.quantity;
  }

  /** Of the deposit, what no part has swapped. */
  get rest(): bigint {
    return this.order.deposit - this.swapped;
  }

  /** Swaps a part. Throws `SwapFailure` if nothing was swapped before it: then none follows, and all of the deposit comes back. */
  takePart(): void {
    const { from, to } = this.order;
    const { amount, limit } = this.#next();
    try {
      const ended = [from, to].find((asset) => this.books.isGivenUp(asset));
      if (ended) throw new SwapFailure(`streaming swaps disabled on ragnarok asset ${ended}`);
      const { out } = this.books.swap(from, to, amount, limit);
      this.swapped += amount;
      this.gained += out;
    } catch (error) {
      if (!(error instanceof SwapFailure) || this.swapped === 0n) throw error;
      this.failures.push({ part: this.count + 1n, reason: error.message });
    }
    this.count++;
    this.lastHeight = this.books.height;
  }

  /** The last part is all of the rest. Its limit is its share of what the limit still misses. */
  #next(): { amount: bigint; limit: bigint } {
    const { deposit, limit } = this.order;
    const each = deposit / this.quantity;
    const isLast = this.count + 1n >= this.quantity;
    const amount = isLast || each > this.rest ? this.rest : each;
    const missing = limit > this.gained ? limit - this.gained : 0n;
    return { amount, limit: half(amount * missing, this.rest) };
  }
}
