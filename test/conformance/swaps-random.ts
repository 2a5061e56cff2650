/** Random pools on a chain's exchanges, random swaps, and what the exchanges' own contracts answer for them. */
import assert from 'node:assert/strict';
import { Interface, parseUnits, solidityPacked } from 'ethers';
import type { Account } from '../../demo/networks/exchanges/account.ts';
import type { DeployedV3 } from '../../demo/networks/exchanges/contracts.ts';
import { fillV2, fillV3 } from '../../demo/networks/exchanges/pools.ts';
import type { CreateSwap, ExchangeRates, OrderType } from '../../src/api/swap.ts';
import { formatAmount } from '../../src/base/amount.ts';
import type { Chain } from '../../src/chains/chain.ts';
import type { ChainRequest, Node } from '../../src/chains/terms.ts';
import type { Network } from '../../src/chains/network.ts';
import type { ExchangeEntry } from '../../src/swaps/entry.ts';
import { createSwap, swapRates } from '../../src/swaps/index.ts';
import { ERC20, PLENTY, randomness } from './swaps-setup.ts';

/** Where the pools are created. */
export interface Ground {
  account: Account;
  network: Network;
  wrapped: string;
  v2: Extract<ExchangeEntry, { kind: 'uniswap-v2' }>;
  v3?: DeployedV3 | undefined;
  wallet: { address: string };
  chain: Chain;
  node: Node;
}

export interface Case {
  from: string;
  to: string;
  orderType: OrderType;
  amount: bigint;
  /** Decimals of the exact side. */
  decimals: number;
}

/** Typical decimals: 6, 8 and 18. With the coin there are enough pairs for 120 pools of each kind. */
export const DECIMALS = [18, 6, 8, 18, 6, 8, 18, 18, 6, 8, 18, 6, 8, 18, 6];
const FEES = [3000, 10_000];
const DESTINATION = `0x${'0'.repeat(36)}beef`;
/** V3's price limits: a trade that ends at one was not filled. */
const ENDS = [4295128740n, 1461446703485210103287273052203988822378723970341n];

const ROUTER = new Interface([
  'function getAmountsOut(uint256, address[]) view returns (uint256[])',
  'function getAmountsIn(uint256, address[]) view returns (uint256[])',
]);
const QUOTER = new Interface([
  'function quoteExactInput(bytes, uint256) returns (uint256, uint160[], uint32[], uint256)',
  'function quoteExactOutput(bytes, uint256) returns (uint256, uint160[], uint32[], uint256)',
]);

export class RandomMarket {
  readonly #random: () => number;
  /** Only this fee where calls to the quoter are slow. */
  readonly #fees: readonly number[];

  constructor(
    readonly ground: Ground,
    seed: number,
    fees = FEES,
  ) {
    this.#random = randomness(seed);
    this.#fees = fees;
  }

  below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  /** A random amount between two powers of ten of a whole token. */
  sized(decimals: number, low: number, high: number): bigint {
    return parseUnits((10 ** (low + this.#random() * (high - low))).toFixed(decimals), decimals);
  }

  /** `pools` in all, no two with the same tokens and fee; the wallet gets plenty of every token. */
  async fill(pools: number): Promise<void> {
    const { account, network, wrapped, v2, v3, wallet } = this.ground;
    const sides = [{ address: wrapped, decimals: 18 }, ...network.tokens];
    const seen = new Set<string>();
    while (seen.size < pools) {
      const [a, b] = [sides[this.below(sides.length)]!, sides[this.below(sides.length)]!];
      const fee = v3 && seen.size >= pools / 2 ? this.#fees[this.below(this.#fees.length)]! : 0;
      const key = [a.address, b.address].sort().join() + fee;
      if (a === b || seen.has(key)) continue;
      seen.add(key);
      const side = ({ address, decimals }: typeof a) => ({
        token: address,
        amount: this.sized(decimals, 0, 5),
      });
      const steps = this.#random() < 0.8 ? undefined : 5 + this.below(200);
      if (v3 && fee) await fillV3(account, v3, fee, side(a), side(b), steps);
      else await fillV2(account, v2, side(a), side(b));
    }
    for (const { address } of network.tokens)
      await account.call(address, ERC20.encodeFunctionData('transfer', [wallet.address, PLENTY]));
  }

  case(): Case {
    const assets = [{ address: '', decimals: 18 }, ...this.ground.network.tokens];
    const from = assets[this.below(assets.length)]!;
    const to = assets.filter((asset) => asset !== from)[this.below(assets.length - 1)]!;
    const orderType = this.#random() < 0.5 ? 'SELL' : 'BUY';
    const { decimals } = orderType === 'SELL' ? from : to;
    const amount = this.sized(decimals, -3, 4) || 1n;
    return { from: from.address, to: to.address, orderType, decimals, amount };
  }

  query({ from, to, orderType, amount, decimals }: Case) {
    const { secretType } = this.ground.network;
    return {
      fromSecretType: secretType,
      toSecretType: secretType,
      fromToken: from,
      toToken: to,
      orderType,
      amount: formatAmount(amount, decimals),
    } as const;
  }

  /** Rates of every exchange: repeated if a busy machine kept one from answering in time. */
  async rates(asked: Case): Promise<ExchangeRates> {
    for (let turn = 0; ; turn++) {
      const rates = await swapRates(this.query(asked), () => this.ground);
      const isLate = rates.noRates?.some(({ message }) => /did not answer in time/.test(message));
      if (!isLate || turn === 5) return rates;
    }
  }

  create(body: Omit<CreateSwap, 'walletId'>, from: string, to = from): Promise<ChainRequest[]> {
    return createSwap({ walletId: 'w', ...body }, { from, to }, () => this.ground);
  }

  /** Each exchange's best price by its own contracts, every path called separately; undefined if all of them fail. */
  async #contractsSay({ from, to, orderType, amount }: Case): Promise<(bigint | undefined)[]> {
    const { account, wrapped, v2, v3 } = this.ground;
    const sell = orderType === 'SELL';
    const best = async (asked: Promise<bigint>[]): Promise<bigint | undefined> => {
      const amounts = await Promise.all(asked.map((answer) => answer.catch(() => 0n)));
      return amounts
        .filter((found) => found > 0n)
        .reduce<bigint | undefined>(
          (at, found) => (at === undefined || (sell ? found > at : found < at) ? found : at),
          undefined,
        );
    };
    const ask = async (contract: string, abi: Interface, name: string, ...given: unknown[]) =>
      abi.decodeFunctionResult(name, await account.read(contract, abi.encodeFunctionData(name, given)));
    const [a, b] = [from || wrapped, to || wrapped];
    const between = [...new Set([wrapped, ...v2.bases])].filter((base) => base !== a && base !== b);
    const paths = [[a, b], ...between.map((base) => [a, base, b])];
    const routed = paths.map(async (path) => {
      const [amounts] = await ask(v2.router, ROUTER, sell ? 'getAmountsOut' : 'getAmountsIn', amount, path);
      return BigInt(sell ? amounts.at(-1) : amounts[0]);
    });
    if (!v3) return [await best(routed)];
    const quoted = paths.flatMap((path) =>
      this.#feesFor(path.length - 1).map(async (fees) => {
        const parts = path.flatMap((token, i) => (i ? [fees[i - 1]!, token] : [token]));
        if (!sell) parts.reverse();
        const types = parts.map((part) => (typeof part === 'number' ? 'uint24' : 'address'));
        const name = sell ? 'quoteExactInput' : 'quoteExactOutput';
        const [other, prices] = await ask(v3.quoter, QUOTER, name, solidityPacked(types, parts), amount);
        return [...prices].some((price) => ENDS.includes(price)) ? 0n : BigInt(other);
      }),
    );
    return Promise.all([best(routed), best(quoted)]);
  }

  #feesFor(hops: number): number[][] {
    if (hops === 1) return this.#fees.map((fee) => [fee]);
    return this.#fees.flatMap((fee) => this.#feesFor(hops - 1).map((more) => [fee, ...more]));
  }

  /** Compares our rates with the contracts', and the best rate with all. Returns how many there are. */
  async compare(asked: Case): Promise<number> {
    // Sequentially, for busy machines.
    const rates = await this.rates(asked);
    const said = await this.#contractsSay(asked);
    const what = JSON.stringify({ ...asked, amount: String(asked.amount), noRates: rates.noRates });
    const { v2, v3 } = this.ground;
    const of = (name: string | undefined) => {
      const rate = rates.exchangeRates.find(({ exchange }) => exchange === name);
      return rate && BigInt(rate.orderType === 'SELL' ? rate.rawOutputAmount! : rate.rawInputAmount!);
    };
    for (const [i, entry] of [v2, v3].entries())
      if (entry) assert.equal(of(entry.name), said[i], `${entry.name} ${what}`);
    const all = said.filter((amount) => amount !== undefined);
    assert.equal(rates.exchangeRates.length, all.length);
    if (all.length === 0) assert.equal(rates.bestRate, null);
    else {
      assert.ok(rates.exchangeRates.includes(rates.bestRate!), 'the best is one of them');
      const best = all.reduce((a, b) => ((asked.orderType === 'SELL' ? b > a : b < a) ? b : a));
      assert.equal(of(rates.bestRate!.exchange), best);
    }
    return all.length;
  }

  async holds(token: string, owner: string): Promise<bigint> {
    const { account, chain, node } = this.ground;
    if (token === '') return BigInt((await chain.balance(owner, node)).rawBalance);
    return BigInt(await account.read(token, ERC20.encodeFunctionData('balanceOf', [owner])));
  }

  /** Carries out a swap for another wallet, and compares what it took and gave with its rate. False if there is no rate. */
  async swap(
    asked: Case,
    fee: bigint,
    carryOut: (requests: ChainRequest[]) => Promise<void>,
  ): Promise<boolean> {
    const { exchangeRates } = await this.rates(asked);
    const rate = exchangeRates[this.below(exchangeRates.length)];
    if (!rate) return false;
    const { amount: _, ...query } = this.query(asked);
    const { address } = this.ground.wallet;
    const body = {
      ...query,
      destinationWalletId: 'd',
      exchange: rate.exchange,
      inputAmount: formatAmount(BigInt(rate.rawInputAmount!), rate.inputDecimals!),
      outputAmount: formatAmount(BigInt(rate.rawOutputAmount!), rate.outputDecimals!),
      slippage: '0.5',
    };
    const requests = await this.create(body, address, DESTINATION);
    const look = () => Promise.all([this.holds(asked.from, address), this.holds(asked.to, DESTINATION)]);
    const before = await look();
    await carryOut(requests);
    const after = await look();
    const [spent, gained] = [before[0] - after[0], after[1] - before[1]];
    assert.equal(gained, BigInt(rate.rawOutputAmount!), 'nobody else traded, so it is the rate itself');
    const input = BigInt(rate.rawInputAmount!);
    const most = asked.from === '' ? input + fee : input;
    assert.ok(spent >= input && spent <= most, `${spent} for ${input}: what was not needed came back`);
    return true;
  }
}
