/**
 * What THORChain's nodes agree on: pools, votes, vaults and fees, by the rules of its source (`x/thorchain`). Amounts are in
 * hundred-millionths. Nothing here knows how the wallet computes.
 */

export interface Pool {
  asset: string;
  balanceAsset: bigint;
  balanceRune: bigint;
  /** 0 for 8. */
  decimals: number;
  status: 'Available' | 'Staged' | 'Suspended';
}

export interface Vault {
  number: number;
  status: 'ActiveVault' | 'RetiringVault' | 'InactiveVault';
}

export interface BooksSwap {
  out: bigint;
  rune: bigint;
  liquidityFee: bigint;
}

/** What is the same for a chain all the time. */
export interface ChainFacts {
  name: string;
  gasAsset: string;
  dustThreshold: bigint;
  gasRate: bigint;
  gasRateUnits: string;
  /** What `gasRate` is multiplied with. */
  txSize: bigint;
  /** What a block pays, in its coin: as much as is final with one confirmation. */
  coinbase: bigint;
  leastConfirmations: number;
  blockSeconds: number;
  memoBytes: number;
}

const COIN = 100_000_000n;

export const CHAINS: readonly ChainFacts[] = [
  {
    name: 'BTC',
    gasAsset: 'BTC.BTC',
    dustThreshold: 10_000n,
    gasRate: 4n,
    gasRateUnits: 'satsperbyte',
    txSize: 1_000n,
    coinbase: 312_500_000n,
    leastConfirmations: 1,
    blockSeconds: 600,
    memoBytes: 80,
  },
  {
    name: 'LTC',
    gasAsset: 'LTC.LTC',
    dustThreshold: 10_000n,
    gasRate: 20n,
    gasRateUnits: 'satsperbyte',
    txSize: 250n,
    coinbase: 625_000_000n,
    leastConfirmations: 1,
    blockSeconds: 150,
    memoBytes: 80,
  },
  {
    name: 'ETH',
    gasAsset: 'ETH.ETH',
    dustThreshold: 1n,
    gasRate: 1n,
    gasRateUnits: 'gwei',
    txSize: 80_000n,
    coinbase: 150_000_000n,
    leastConfirmations: 2,
    blockSeconds: 12,
    memoBytes: 250,
  },
  {
    name: 'TRON',
    gasAsset: 'TRON.TRX',
    dustThreshold: 0n,
    gasRate: 900_000_000n,
    gasRateUnits: 'sun',
    txSize: 1n,
    coinbase: 0n,
    leastConfirmations: 3,
    blockSeconds: 3,
    memoBytes: 250,
  },
];

const BPS = 10_000n;
/** Of inactive vaults, so many are still looked at. */
const REMEMBERED = 1;
/** Of the constants (`constants_v1.go`). */
const MIN_OUT_VALUE = 1_000n * COIN;
const VALUE_PER_BLOCK = 25n * COIN;
const MAX_DELAY = 720;

/** The reason is that of a refund, in THORNode's words. */
export class SwapFailure extends Error {
  override name = 'SwapFailure';
}

export class Books {
  height = 10_000_000;
  /** Of the newest block, in milliseconds since 1970. */
  time: number;
  readonly chainId = 'thorchain-local';
  readonly mimir = new Map<string, number>();
  pools: Pool[];
  readonly vaults: Vault[] = [{ number: 1, status: 'ActiveVault' }];
  /** Of what a transaction costs, how much is charged for it: between 15,000 and 30,000. */
  multiplier = 15_000n;
  /** In US dollars, of hundred-millionths. */
  runePrice = 5n * COIN;

  constructor(pools: readonly Pool[], now: number) {
    this.pools = pools.map((pool) => ({ ...pool }));
    this.time = now;
  }

  /** A copy that does not change. */
  snapshot(): Books {
    const copy = new Books(this.pools, this.time);
    Object.assign(copy, { height: this.height, multiplier: this.multiplier, runePrice: this.runePrice });
    for (const [name, vote] of this.mimir) copy.mimir.set(name, vote);
    copy.vaults.splice(0, Infinity, ...this.vaults.map((vault) => ({ ...vault })));
    return copy;
  }

  // Vaults

  get active(): Vault {
    return this.vaults.find(({ status }) => status === 'ActiveVault')!;
  }

  /** Those whose addresses are looked at. */
  get watched(): Vault[] {
    const inactive = this.vaults.filter(({ status }) => status === 'InactiveVault').slice(-REMEMBERED);
    return this.vaults.filter((vault) => vault.status !== 'InactiveVault' || inactive.includes(vault));
  }

  /** A new vault takes over: the active one retires, and one that was retiring is inactive. */
  churn(): void {
    for (const vault of this.vaults)
      if (vault.status !== 'InactiveVault')
        vault.status = vault.status === 'ActiveVault' ? 'RetiringVault' : 'InactiveVault';
    this.vaults.push({ number: this.vaults.length + 1, status: 'ActiveVault' });
  }

  // Votes

  isInEffect(vote: string): boolean {
    const from = this.mimir.get(vote) ?? -1;
    return from > 0 && from <= this.height;
  }

  /** Trading on a chain, or on all of them. */
  isTradingHalted(chain: string): boolean {
    return (
      this.isInEffect('HALTTRADING') || this.isInEffect(`HALT${chain}TRADING`) || this.isChainHalted(chain)
    );
  }

  /** It is not looked at. */
  isChainHalted(chain: string): boolean {
    const pausedTo = this.mimir.get('NODEPAUSECHAINGLOBAL') ?? -1;
    return (
      ['HALTCHAINGLOBAL', `HALT${chain}CHAIN`, `SOLVENCYHALT${chain}CHAIN`].some((vote) =>
        this.isInEffect(vote),
      ) || pausedTo >= this.height
    );
  }

  /** Swaps in parts wait. */
  get isStreamingPaused(): boolean {
    return (this.mimir.get('STREAMINGSWAPPAUSE') ?? 0) > 0;
  }

  /** Validators end its pool. */
  isGivenUp(asset: string): boolean {
    return this.isInEffect(`RAGNAROK-${asset.replace('.', '-')}`);
  }

  /** Of what goes in, in ten-thousandths. */
  get minSlip(): bigint {
    return BigInt(Math.max(0, this.mimir.get('L1SLIPMINBPS') ?? 0));
  }

  isSigningHalted(chain: string): boolean {
    return this.isInEffect('HALTSIGNING') || this.isInEffect(`HALTSIGNING${chain}`);
  }

  // Pools

  pool(asset: string): Pool {
    const pool = this.pools.find((each) => each.asset === asset);
    if (!pool) throw new SwapFailure(`pool ${asset} doesn't exist`);
    return pool;
  }

  /** `fuzzyAssetMatch`: the exact asset, or the deepest pool of its chain and ticker whose contract ends so. */
  match(name: string): string {
    const wanted = name.toUpperCase();
    if (this.pools.some(({ asset, balanceRune }) => asset === wanted && balanceRune > 0n)) return wanted;
    const [head = '', suffix = ''] = wanted.split('-');
    let winner: Pool | undefined;
    for (const pool of this.pools) {
      const [ownHead, ownContract = ''] = pool.asset.split('-');
      if (ownHead !== head || !ownContract.endsWith(suffix)) continue;
      if (!winner || winner.balanceRune <= pool.balanceRune) winner = pool;
    }
    return winner?.asset ?? wanted;
  }

  inRune(asset: string, amount: bigint): bigint {
    const { balanceAsset, balanceRune } = this.pool(asset);
    return half(amount * balanceRune, balanceAsset);
  }

  runeIn(asset: string, amount: bigint): bigint {
    const { balanceAsset, balanceRune, decimals } = this.pool(asset);
    return rounded(half(amount * balanceAsset, balanceRune), decimals);
  }

  /**
   * Swaps through RUNE and changes the pools. `limit`: the least output, 0 for none. Throws `SwapFailure`, and then changes none. `rune` is what
   * the first pool gave; `liquidityFee` is of both pools, in the output's asset.
   */
  swap(from: string, to: string, amount: bigint, limit = 0n): BooksSwap {
    if (from === to) throw new SwapFailure(`cannot swap from ${from} --> ${to}, assets match`);
    const kept = this.pools.map((pool) => ({ ...pool }));
    try {
      const first = this.#swapOne(this.pool(from), amount, true);
      const second = this.#swapOne(this.pool(to), first.out, false);
      const { out } = second;
      if (out < limit) throw new SwapFailure(`emit asset ${out} less than price limit ${limit}`);
      if (out === 0n) throw new SwapFailure('zero emit asset');
      const { balanceAsset, balanceRune } = kept.find(({ asset }) => asset === to)!;
      const fees = first.feeInRune + second.feeInRune;
      return { out, rune: first.out, liquidityFee: half(fees * balanceAsset, balanceRune) };
    } catch (error) {
      this.pools = kept;
      throw error;
    }
  }

  /** The pools' fee goes to validators, in RUNE: what it leaves of the depths moves later prices. */
  #swapOne(pool: Pool, input: bigint, isToRune: boolean): { out: bigint; feeInRune: bigint } {
    if (pool.status !== 'Available' || this.isGivenUp(pool.asset))
      throw new SwapFailure(`pool(${pool.asset}) is not available`);
    const [near, far] = isToRune
      ? [pool.balanceAsset, pool.balanceRune]
      : [pool.balanceRune, pool.balanceAsset];
    if (input === 0n) throw new SwapFailure('invalid amount');
    if (near === 0n || far === 0n) throw new SwapFailure('invalid balance');
    const sum = near + input;
    const { minSlip } = this;
    let out: bigint;
    let fee: bigint;
    if (minSlip > half(BPS * input, sum)) {
      fee = half(minSlip * input * far, BPS) / sum;
      out = (input * far) / sum - fee;
      if (out < 0n) out = 0n;
    } else {
      fee = (input ** 2n * far) / sum ** 2n;
      out = (input * near * far) / sum ** 2n;
    }
    out = rounded(out, pool.decimals);
    if (out >= far) throw new SwapFailure('not enough balance');
    if (isToRune) Object.assign(pool, { balanceAsset: near + input, balanceRune: far - out });
    else Object.assign(pool, { balanceRune: near + input, balanceAsset: far - out });
    const feeInRune = isToRune ? fee : half(fee * pool.balanceRune, pool.balanceAsset);
    pool.balanceRune -= feeInRune < pool.balanceRune ? feeInRune : pool.balanceRune;
    return { out, feeInRune };
  }

  // Fees

  /** Of paying out an asset, in itself. */
  outboundFee(asset: string): bigint {
    const chain = chainOf(asset);
    const { decimals } = this.pool(chain.gasAsset);
    const fee = rounded(half(chain.gasRate * chain.txSize * this.multiplier, BPS), decimals);
    const dollars = BigInt(Math.max(0, this.mimir.get('MINIMUML1OUTBOUNDFEEUSD') ?? 1_000_000));
    const least = this.runeIn(chain.gasAsset, half(dollars * COIN, this.runePrice));
    const inGas = fee > least ? fee : least;
    return asset === chain.gasAsset ? inGas : this.runeIn(asset, this.inRune(chain.gasAsset, inGas));
  }

  /** The fee stays in the pool, and RUNE of its worth leaves it. */
  takeFee(asset: string, fee: bigint): void {
    const pool = this.pool(asset);
    const rune = half(fee * pool.balanceRune, pool.balanceAsset + fee);
    pool.balanceAsset += fee;
    pool.balanceRune -= rune > pool.balanceRune ? pool.balanceRune : rune;
  }

  /** Blocks that an output waits, by its value. */
  delay(asset: string, amount: bigint): number {
    const value = this.inRune(asset, amount);
    return value <= MIN_OUT_VALUE ? 0 : Math.min(MAX_DELAY, Number(value / VALUE_PER_BLOCK));
  }

  /** Blocks of a deposit's own chain, its own among them. */
  confirmations(asset: string, amount: bigint): number {
    const { coinbase, leastConfirmations, gasAsset, name } = chainOf(asset);
    const coins = asset === gasAsset ? amount : this.runeIn(gasAsset, this.inRune(asset, amount));
    const wanted = coinbase === 0n ? 0 : Number((coins + coinbase - 1n) / coinbase);
    const most = this.mimir.get(`MAXCONFIRMATIONS-${name}`) ?? 0;
    return Math.max(leastConfirmations, most > 0 ? Math.min(most, wanted) : wanted);
  }
}

export function chainOf(asset: string): ChainFacts {
  const facts = CHAINS.find(({ name }) => asset.startsWith(`${name}.`));
  if (!facts) throw new SwapFailure(`chain of ${asset} is not supported`);
  return facts;
}

/** An amount in an asset's own units as hundred-millionths. Smaller parts are lost. */
export function fromUnits(units: bigint, decimals: number): bigint {
  return decimals > 8 ? units / 10n ** BigInt(decimals - 8) : units * 10n ** BigInt(8 - decimals);
}

/** Hundred-millionths in an asset's own units. */
export function toUnits(amount: bigint, decimals: number): bigint {
  return decimals > 8 ? amount * 10n ** BigInt(decimals - 8) : amount / 10n ** BigInt(8 - decimals);
}

/** Rounded down to an asset's own decimals. */
export function rounded(amount: bigint, decimals: number): bigint {
  const unit = decimals === 0 || decimals >= 8 ? 1n : 10n ** BigInt(8 - decimals);
  return (amount / unit) * unit;
}

/** A quotient to the nearest whole number, halves to the even one. */
export function half(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) return 0n;
  const low = dividend / divisor;
  const twice = (dividend - low * divisor) * 2n;
  if (twice < divisor) return low;
  if (twice > divisor) return low + 1n;
  return low + (low & 1n);
}
