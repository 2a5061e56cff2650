/** What exchanges with pools of two tokens have in common. */
import type { Caller, Step } from './caller.ts';
import type { ExchangeEntry } from './entry.ts';
import type { Asset, Exchange, Question, Quote, PlannedSwap } from './exchange.ts';
import { swapError } from './failures.ts';
import { type Hop, hopKey, hopsOf, Pools, pathsBetween } from './pools.ts';

/** Up to this many tokens, pools for every pair are looked up; beyond it, only those of each with a base. */
const FEW = 24;

/** Transfer fees of listed tokens, in parts per million, by address in lower case. */
export type TransferFees = ReadonlyMap<string, bigint>;

export abstract class PoolExchange implements Exchange {
  readonly name: string;
  readonly router: string;
  /** How it treats tokens with transfer fees, as a sentence. */
  protected abstract readonly onTransferFees: string;
  /** The contract in lower case. */
  protected readonly wrapped: string;
  protected readonly pools: Pools;
  readonly #bases: readonly string[];

  constructor(
    { name, router, factory, wrapped, bases }: ExchangeEntry,
    protected readonly transferFees: TransferFees,
    questions: (a: string, b: string) => readonly string[],
  ) {
    this.name = name;
    this.router = router;
    this.wrapped = wrapped.toLowerCase();
    this.#bases = [...new Set([this.wrapped, ...bases.map((base) => base.toLowerCase())])];
    this.pools = new Pools({ exchange: name, factory, questions });
  }

  async pairs(caller: Caller, assets: readonly Asset[]): Promise<[Asset, Asset][]> {
    const everyTwo = assets.flatMap((a, i) => assets.slice(i + 1).map((b): [Asset, Asset] => [a, b]));
    const tokens = [...new Set(assets.map((asset) => this.contractOf(asset)))];
    const straight = tokens.flatMap((a, i) => tokens.slice(i + 1).map((b): Hop => [a, b]));
    const hops = [
      ...(tokens.length <= FEW ? straight : []),
      ...tokens.flatMap((token) =>
        this.#bases.filter((base) => base !== token).map((base): Hop => [token, base]),
      ),
    ];
    const pools = await this.pools.find(caller, hops);
    const joined = (path: readonly string[]) =>
      hopsOf(path).every((hop) => pools.get(hopKey(hop))?.some((pool) => pool !== undefined));
    return everyTwo.filter(([a, b]) => {
      const [from, to] = [this.contractOf(a), this.contractOf(b)];
      return from !== to && pathsBetween(from, to, this.#bases).some(joined);
    });
  }

  async rate(caller: Caller, question: Question): Promise<Quote> {
    const [from, to] = [this.contractOf(question.from), this.contractOf(question.to)];
    const paths = from === to ? [] : pathsBetween(from, to, this.#bases);
    const pools = await this.pools.find(caller, paths.flatMap(hopsOf));
    const open = paths.filter((path) =>
      hopsOf(path).every((hop) => pools.get(hopKey(hop))!.some((pool) => pool !== undefined)),
    );
    if (open.length === 0)
      throw swapError(
        this.name,
        'exchange-not-found',
        `${this.name} has no pool for ${question.from.symbol} and ${question.to.symbol}.`,
      );
    const quotes = await this.quotes(caller, question, open, pools);
    const [first, ...others] = quotes;
    if (!first) throw this.noPrice(question);
    return others.reduce((best, quote) => (isBetter(quote, best, question) ? quote : best), first);
  }

  abstract build(order: PlannedSwap): Step;

  /** Quotes for the paths that have a price, in one round trip. */
  protected abstract quotes(
    caller: Caller,
    question: Question,
    paths: readonly string[][],
    pools: ReadonlyMap<string, readonly (string | undefined)[]>,
  ): Promise<Quote[]>;

  protected contractOf({ address }: Asset): string {
    return address === '' ? this.wrapped : address.toLowerCase();
  }

  /** The transfer fee of a token (address in lower case), in parts per million. */
  protected transferFee(token: string): bigint {
    return this.transferFees.get(token) ?? 0n;
  }

  protected noPrice({ from, to }: Question): Error {
    const taking = [from, to].find((asset) => this.transferFees.has(asset.address.toLowerCase()));
    const message = taking
      ? `${this.name} has no price: ${taking.symbol} charges a transfer fee. ${this.onTransferFees}`
      : `The pools of ${this.name} do not hold enough ${from.symbol} or ${to.symbol} for this amount.`;
    return swapError(this.name, 'get-price.failed', message, {
      reason: taking ? 'transfer-fee' : 'liquidity',
    });
  }
}

/** Whether `a` gives more output for the same input, or the same for less. */
export function isBetter(
  a: Pick<Quote, 'input' | 'output'>,
  b: Pick<Quote, 'input' | 'output'>,
  { orderType }: Pick<Question, 'orderType'>,
): boolean {
  return orderType === 'SELL' ? a.output > b.output : a.input < b.input;
}
