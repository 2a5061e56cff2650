/**
 * What becomes of a deposit: observed, counted, swapped at once or in parts, or refunded, delayed, paid out. One block of THORChain is one
 * `tick`. In the demo parts are off (STREAMINGSWAPPAUSE): an order for them waits.
 */
import { createHash } from 'node:crypto';
import { type Books, chainOf, CHAINS, rounded, SwapFailure, type Vault } from './books.ts';
import { BadMemo, type Memo, parseMemo } from './memo.ts';
import { Stream } from './streaming.ts';

/** A payment to a vault in a block of its chain, as validators see it. Amounts are in hundred-millionths. */
export interface Deposit {
  /** In capitals, without 0x. */
  hash: string;
  from: string;
  vault: number;
  asset: string;
  amount: bigint;
  memo: string;
  /** Height of its block. */
  block: number;
}

export interface Payment {
  vault: number;
  to: string;
  asset: string;
  amount: bigint;
  memo: string;
}

/** A chain with the keys of the vaults on it. */
export interface Side {
  /** `BTC`. */
  name: string;
  /** The contract of deposits. */
  router?: string;
  addressOf(vault: number): string;
  isAddress(text: string): boolean;
  height(): Promise<number>;
  /** Deposits in blocks since the last call. What THORNode does not notice is not among them. */
  scan(vaults: readonly number[]): Promise<Deposit[]>;
  /** Resolves with the transaction's hash, in capitals, and its fee in the chain's coin. */
  pay(payment: Payment): Promise<{ hash: string; gas: bigint }>;
}

/** A chain of the demo. */
export interface LocalSide extends Side {
  /** Payments to a vault that THORNode's scanner leaves out. */
  readonly skipped: { hash: string; reason: string }[];
  /** Mines a block. */
  mine(): Promise<void>;
  /** Gives a vault something to pay with. */
  fund(vault: number, asset: string, amount: bigint): Promise<void>;
  close(): Promise<void>;
}

export interface Planned extends Payment {
  isRefund: boolean;
  /** Of THORChain, from which it is paid out. */
  height: number;
  paid?: { hash: string; gas: bigint; from: string };
  /** Why it could not be paid out yet; it is tried again with every block. */
  failure?: string;
}

export interface Swap {
  deposit: Deposit;
  chain: string;
  /** Blocks of the deposit's chain that it needs, its own among them, and the height it has them at. */
  confirmations: number;
  finalAt: number;
  seenAt: number;
  /** Of THORChain's blocks, the one in which it had its confirmations, later that in which an output was planned. */
  finalisedAt?: number;
  /** After its confirmations: swapped, refunded or dropped. */
  isDone: boolean;
  /** Of an order in parts, from the first one on. */
  stream?: Stream;
  /** Why it was refunded or dropped. */
  reason?: string;
  /** Of THORChain's blocks, the one in which that was decided. */
  doneAt?: number;
  /** What that block tells of it. */
  refunds: Refund[];
  outs: Planned[];
}

/** Coins that come back, or that nobody gets. */
export interface Refund {
  /** Of `x/thorchain/errors.go`. */
  code: number;
  reason: string;
  asset: string;
  amount: bigint;
}

/** Of a demo vault, as everybody may know. */
export function vaultKey(chain: string, vault: number): Buffer {
  return createHash('sha256').update(`Carabiner demo: THORChain vault ${vault} on ${chain}`).digest();
}

/** The longest memo; a longer one is not noticed. */
const MEMO_LENGTH = 250;

/** Of refunds. */
const CODES = { vault: 104, memo: 105, swap: 108, output: 131 };
const TOO_LITTLE = 'not enough asset to pay for fees';
const UNPAYABLE = `fail to add outbound tx: 2 errors occurred:\n\t* internal error\n\t* ${TOO_LITTLE}\n\n`;

export class Engine {
  /** By hash. */
  readonly swaps = new Map<string, Swap>();
  /** Deposits that were not noticed, with the reason. */
  readonly ignored: { hash: string; reason: string }[] = [];
  /** Called for a deposit that was noticed, before it is swapped. */
  onDeposit: (deposit: Deposit) => void = () => {};
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly books: Books,
    readonly sides: readonly Side[],
    private readonly now: () => number = Date.now,
  ) {}

  side(chain: string): Side | undefined {
    return this.sides.find(({ name }) => name === chain);
  }

  /** One after the other, so that nothing is paid twice. */
  tick(blocks = 1): Promise<void> {
    const run = async (): Promise<void> => {
      for (let i = 0; i < blocks; i++) await this.#block();
    };
    const turn = this.#last.then(run, run);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #block(): Promise<void> {
    const { books } = this;
    books.height++;
    books.time = this.now();
    for (const side of this.sides) {
      if (books.isChainHalted(side.name)) continue;
      const deposits = await side.scan(books.watched.map(({ number }) => number));
      const height = await side.height();
      for (const deposit of deposits) this.#observe(side, deposit);
      for (const swap of this.swaps.values())
        if (swap.chain === side.name && !swap.isDone && height >= swap.finalAt) this.#handle(side, swap);
    }
    await this.#payOut();
  }

  #observe(side: Side, deposit: Deposit): void {
    const { hash, asset, amount, memo } = deposit;
    if (this.swaps.has(hash)) return;
    const reason = this.#whyIgnored(deposit);
    if (reason) return void this.ignored.push({ hash, reason });
    this.onDeposit(deposit);
    const confirmations = this.books.confirmations(asset, amount);
    this.swaps.set(hash, {
      deposit: { ...deposit, memo },
      chain: side.name,
      confirmations,
      finalAt: deposit.block + confirmations - 1,
      seenAt: this.books.height,
      isDone: false,
      refunds: [],
      outs: [],
    });
  }

  #whyIgnored({ asset, amount, memo }: Deposit): string | undefined {
    const { gasAsset, dustThreshold } = chainOf(asset);
    if (!this.books.pools.some((pool) => pool.asset === asset)) return 'unlisted token';
    if (amount === 0n || (asset === gasAsset && amount < dustThreshold)) return 'below the dust threshold';
    if (memo.length > MEMO_LENGTH) return 'memo too long';
    if (memo === '') return 'no memo';
    return undefined;
  }

  /** Of a deposit with its confirmations; in parts, once a block until the last one. */
  #handle(side: Side, swap: Swap): void {
    swap.finalisedAt ??= this.books.height;
    const { deposit } = swap;
    const vault = this.books.vaults.find(({ number }) => number === deposit.vault)!;
    if (vault.status === 'InactiveVault' && !swap.stream) return this.#sendBack(swap, vault);
    const kept = this.books.pools.map((pool) => ({ ...pool }));
    let memo: Memo | undefined;
    try {
      if (!/^[\x20-\x7e]+$/.test(deposit.memo)) throw new BadMemo('memo is not printable ASCII');
      memo = parseMemo(deposit.memo);
      if (memo.interval > 0n) return this.#takePart(side, swap, memo);
      this.#swap(swap, memo);
    } catch (error) {
      if (!(error instanceof SwapFailure) && !(error instanceof BadMemo)) throw error;
      this.books.pools = kept;
      delete swap.stream;
      const code = error instanceof BadMemo ? CODES.memo : CODES.swap;
      this.#refund(side, swap, memo, { ...deposit, code, reason: error.message });
    }
    this.#end(swap);
  }

  #end(swap: Swap): void {
    swap.isDone = true;
    swap.doneAt = this.books.height;
  }

  /** What an order is for. Throws `SwapFailure`. */
  #read(swap: Swap, memo: Memo): { to: string; destination: string } {
    const { books } = this;
    if (memo.affiliates.length > 0) throw new SwapFailure('fail to fetch THORName');
    const to = books.match(memo.asset);
    const target = chainOf(to).name;
    if (this.#isHalted(swap, to)) throw new SwapFailure("trading is halted, can't process swap");
    const destination = memo.destination || swap.deposit.from;
    if (!this.side(target)?.isAddress(destination))
      throw new SwapFailure(`destination address is not a valid ${target} address`);
    return { to, destination };
  }

  #isHalted(swap: Swap, to: string): boolean {
    return [swap.chain, chainOf(to).name].some((chain) => this.books.isTradingHalted(chain));
  }

  #swap(swap: Swap, memo: Memo): void {
    const { books } = this;
    const { asset, amount, hash } = swap.deposit;
    const { to, destination } = this.#read(swap, memo);
    const { out } = books.swap(asset, to, amount, memo.limit);
    const paid = this.#afterFee(to, out);
    if (paid === 0n) throw new SwapFailure(UNPAYABLE);
    if (paid < memo.limit)
      throw new SwapFailure(`outbound amount does not meet requirements (${paid}/${memo.limit})`);
    this.#plan(swap, { to: destination, asset: to, amount: paid, memo: `OUT:${hash}` }, false);
  }

  /** If it is time for one. Throws `SwapFailure` where nothing was swapped before. */
  #takePart(side: Side, swap: Swap, memo: Memo): void {
    const { books } = this;
    if (books.isStreamingPaused) return;
    if (swap.stream && (!swap.stream.isDue || this.#isHalted(swap, swap.stream.order.to))) return;
    const { asset: from, amount: deposit } = swap.deposit;
    swap.stream ??= new Stream({ ...memo, ...this.#read(swap, memo), from, deposit }, books);
    swap.stream.takePart();
    if (swap.stream.isDone) this.#endParts(side, swap, memo, swap.stream);
  }

  /** What was gained is paid out, whatever the limit, and the rest comes back; of each, nothing where the fee is more. */
  #endParts(side: Side, swap: Swap, memo: Memo, { order, gained, rest }: Stream): void {
    const { to: asset, destination: to } = order;
    const amount = this.#afterFee(asset, gained);
    if (amount > 0n) this.#plan(swap, { to, asset, amount, memo: `OUT:${swap.deposit.hash}` }, false);
    else {
      const reason = `${TOO_LITTLE}; fail to refund (${gained} ${asset}): streaming swap output`;
      swap.refunds.push({ code: CODES.output, reason, asset, amount: gained });
    }
    const back = { asset: order.from, amount: rest, code: CODES.swap, reason: 'streaming partial-refund' };
    if (rest > 0n) this.#refund(side, swap, memo, back);
    this.#end(swap);
  }

  /** Minus the source chain's fee; nothing if that is more, or leaves dust. */
  #refund(side: Side, swap: Swap, memo: Memo | undefined, { code, reason, asset, amount }: Refund): void {
    const { from, hash } = swap.deposit;
    const left = this.#afterFee(asset, amount);
    if (left === 0n) {
      swap.reason = `fail to refund non-native tx, leaving coins in vault: ${reason}`;
      const failure = `${reason}; fail to refund (${amount} ${asset}): ${TOO_LITTLE}`;
      swap.refunds.push({ code, reason: failure, asset, amount });
      return;
    }
    swap.reason = reason;
    swap.refunds.push({ code, reason, asset, amount });
    const to = memo?.refund && side.isAddress(memo.refund) ? memo.refund : from;
    this.#plan(swap, { to, asset, amount: left, memo: `REFUND:${hash}` }, true);
  }

  /** From an inactive vault, as well as it can: minus what the transaction costs. */
  #sendBack(swap: Swap, { number }: Vault): void {
    const { asset, amount, from, hash } = swap.deposit;
    const { gasAsset, gasRate, txSize, dustThreshold } = chainOf(asset);
    this.#end(swap);
    swap.reason = 'observed inbound tx to an inactive vault';
    swap.refunds.push({ code: CODES.vault, reason: swap.reason, asset, amount });
    const left = asset === gasAsset ? amount - gasRate * txSize : amount;
    if (left <= dustThreshold) return;
    const height = this.books.height;
    swap.outs.push({
      vault: number,
      to: from,
      asset,
      amount: left,
      memo: `REFUND:${hash}`,
      isRefund: true,
      height,
    });
  }

  /** What is left after the fee for paying out, which stays in the pool; 0 if that is dust. */
  #afterFee(asset: string, amount: bigint): bigint {
    const { gasAsset, dustThreshold } = chainOf(asset);
    const fee = this.books.outboundFee(asset);
    if (amount <= fee) return 0n;
    const left = rounded(amount - fee, this.books.pool(asset).decimals);
    if (asset === gasAsset && left < dustThreshold) return 0n;
    this.books.takeFee(asset, fee);
    return left;
  }

  /** Its delay began when the deposit was seen: confirmations and parts count. */
  #plan(swap: Swap, payment: Omit<Payment, 'vault'>, isRefund: boolean): void {
    const { books } = this;
    swap.finalisedAt = books.height;
    swap.outs.push({
      ...payment,
      vault: books.active.number,
      isRefund,
      height: Math.max(books.height, swap.seenAt + books.delay(payment.asset, payment.amount)),
    });
  }

  async #payOut(): Promise<void> {
    const { books } = this;
    for (const swap of this.swaps.values())
      for (const out of swap.outs) {
        const chain = chainOf(out.asset).name;
        const side = this.side(chain);
        if (out.paid || !side || out.height > books.height) continue;
        if (books.isSigningHalted(chain) || books.isChainHalted(chain)) continue;
        try {
          out.paid = { ...(await side.pay(out)), from: side.addressOf(out.vault) };
        } catch (error) {
          out.failure = (error as Error).message;
        }
      }
  }

  /** Outputs that wait. */
  get queue(): Planned[] {
    return [...this.swaps.values()].flatMap(({ outs }) => outs).filter(({ paid }) => !paid);
  }
}

/** Seconds of so many confirmations on a chain. */
export function secondsOf(chain: string, blocks: number): number {
  return blocks * (CHAINS.find(({ name }) => name === chain)?.blockSeconds ?? 0);
}
