/** Rates and swaps on Uniswap's own contracts: prices as the router and the quoter tell them, and swaps that give what they promise. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Contract, parseUnits, solidityPacked } from 'ethers';
import type { ExchangeRates, OrderType } from '../../src/api/swap.ts';
import { fillV2, fillV3 } from '../../demo/networks/exchanges/pools.ts';
import { formatAmount } from '../../src/chains/amount.ts';
import { createSwap, swapPairs, swapRates } from '../../src/swaps/index.ts';
import {
  balanceOf,
  carryOut,
  type Market,
  PLENTY,
  randomness,
  send,
  setBalance,
  startMarket,
} from './swaps-setup.ts';

const POOLS = 100;
const FEES = [3000, 10_000];
/** Six, eight and eighteen, as tokens have them. */
const DECIMALS = [18, 6, 8, 18, 6, 8, 18, 18, 6, 8, 18, 6];

const random = randomness(20_241);
const below = (n: number): number => Math.floor(random() * n);
/** Of any size between two powers of ten of a whole token. */
const sized = (decimals: number, low: number, high: number): bigint =>
  parseUnits((10 ** (low + random() * (high - low))).toFixed(decimals), decimals);

let market: Market;
before(async () => {
  market = await startMarket(DECIMALS);
  const { network, account, v2, v3, wrapped } = market;
  const sides = [{ address: wrapped, decimals: 18 }, ...network.tokens];
  const seen = new Set<string>();
  for (let made = 0; made < POOLS * 2; ) {
    const [a, b] = [sides[below(sides.length)]!, sides[below(sides.length)]!];
    const fee = made < POOLS ? 0 : FEES[below(FEES.length)]!;
    const key = [a.address, b.address].sort().join() + fee;
    if (a === b || seen.has(key)) {
      // Every two have a pool: more goes into one that is there.
      if (fee || seen.size < 70 || a === b) continue;
    }
    seen.add(key);
    const side = ({ address, decimals }: typeof a) => ({ token: address, amount: sized(decimals, 0, 5) });
    if (fee) await fillV3(account, v3, fee, side(a), side(b), random() < 0.8 ? undefined : 5 + below(200));
    else await fillV2(account, v2, side(a), side(b));
    made++;
  }
  for (const { address } of network.tokens) await setBalance(market, address, market.wallet.address, PLENTY);
});
after(() => market?.stop());

interface Case {
  from: string;
  to: string;
  orderType: OrderType;
  amount: bigint;
  /** Of the side that is exact. */
  decimals: number;
}

function randomCase(): Case {
  const assets = [{ address: '', decimals: 18 }, ...market.network.tokens];
  const from = assets[below(assets.length)]!;
  const to = assets.filter((asset) => asset !== from)[below(assets.length - 1)]!;
  const orderType = random() < 0.5 ? 'SELL' : 'BUY';
  const { decimals } = orderType === 'SELL' ? from : to;
  return { from: from.address, to: to.address, orderType, decimals, amount: sized(decimals, -3, 4) || 1n };
}

const queryOf = ({ from, to, orderType, amount, decimals }: Case) =>
  ({
    fromSecretType: 'ETHEREUM',
    toSecretType: 'ETHEREUM',
    fromToken: from,
    toToken: to,
    orderType,
    amount: formatAmount(amount, decimals),
  }) as const;

const ratesFor = (asked: Case): Promise<ExchangeRates> =>
  swapRates(queryOf(asked), () => ({ chain: market.chain, node: market.node }));

const paths = (from: string, to: string): string[][] => {
  const [a, b] = [from || market.wrapped, to || market.wrapped];
  const between = [market.wrapped, ...market.v2.bases].filter((base) => base !== a && base !== b);
  return [[a, b], ...between.map((base) => [a, base, b])];
};

const ROUTER = [
  'function getAmountsOut(uint256, address[]) view returns (uint256[])',
  'function getAmountsIn(uint256, address[]) view returns (uint256[])',
];
const QUOTER = [
  'function quoteExactInput(bytes, uint256) returns (uint256, uint160[], uint32[], uint256)',
  'function quoteExactOutput(bytes, uint256) returns (uint256, uint160[], uint32[], uint256)',
];

/** The best of what the contracts say themselves, each asked by itself; undefined where every one refuses. */
async function contractsSay({
  from,
  to,
  orderType,
  amount,
}: Case): Promise<{ v2: bigint | undefined; v3: bigint | undefined }> {
  const { provider, v2, v3 } = market;
  const sell = orderType === 'SELL';
  const best = (amounts: bigint[]): bigint | undefined =>
    amounts
      .filter((found) => found > 0n)
      .reduce<bigint | undefined>(
        (at, found) => (at === undefined || (sell ? found > at : found < at) ? found : at),
        undefined,
      );
  const tolerant = async (answer: Promise<bigint>): Promise<bigint> => answer.catch(() => 0n);
  const router = new Contract(v2.router, ROUTER, provider);
  const quoter = new Contract(v3.quoter, QUOTER, provider);
  const routed = paths(from, to).map((path) =>
    tolerant(
      router
        .getFunction(sell ? 'getAmountsOut' : 'getAmountsIn')(amount, path)
        .then((amounts: bigint[]) => (sell ? amounts.at(-1)! : amounts[0]!)),
    ),
  );
  const quoted = paths(from, to).flatMap((path) => {
    const choices =
      path.length === 2 ? FEES.map((fee) => [fee]) : FEES.flatMap((a) => FEES.map((b) => [a, b]));
    return choices.map((fees) => {
      const parts = path.flatMap((token, i) => (i ? [fees[i - 1]!, token] : [token]));
      if (!sell) parts.reverse();
      const packed = solidityPacked(
        parts.map((part) => (typeof part === 'number' ? 'uint24' : 'address')),
        parts,
      );
      return tolerant(
        quoter
          .getFunction(sell ? 'quoteExactInput' : 'quoteExactOutput')
          .staticCall(packed, amount)
          .then(([other, prices]: [bigint, bigint[]]) =>
            // At the end of a pool's prices the trade was not filled.
            prices.some((p) => p === 4295128740n || p === 1461446703485210103287273052203988822378723970341n)
              ? 0n
              : other,
          ),
      );
    });
  });
  return { v2: best(await Promise.all(routed)), v3: best(await Promise.all(quoted)) };
}

const otherSide = (rates: ExchangeRates, name: string): bigint | undefined => {
  const rate = rates.exchangeRates.find(({ exchange }) => exchange === name);
  return rate && BigInt(rate.orderType === 'SELL' ? rate.rawOutputAmount! : rate.rawInputAmount!);
};

test('the rates of 200 random swaps are what router and quoter answer, and the best of them is the best', async () => {
  let found = 0;
  for (let i = 0; i < 200; i++) {
    const asked = randomCase();
    const [rates, { v2, v3 }] = await Promise.all([ratesFor(asked), contractsSay(asked)]);
    const what = JSON.stringify({ ...asked, amount: String(asked.amount) });
    assert.equal(otherSide(rates, 'Uniswap V2'), v2, `V2 ${what}`);
    assert.equal(otherSide(rates, 'Uniswap V3'), v3, `V3 ${what}`);
    const all = [v2, v3].filter((amount) => amount !== undefined);
    found += all.length;
    assert.equal(rates.exchangeRates.length, all.length);
    if (all.length === 0) {
      assert.equal(rates.bestRate, null);
      continue;
    }
    assert.ok(rates.exchangeRates.includes(rates.bestRate!), 'the best is one of them');
    const best = all.reduce((a, b) => ((asked.orderType === 'SELL' ? b > a : b < a) ? b : a));
    assert.equal(otherSide({ ...rates, exchangeRates: [rates.bestRate!] }, rates.bestRate!.exchange), best);
  }
  assert.ok(found > 200, `only ${found} of 400 had a rate`);
});

async function swapOnce(asked: Case, real: boolean): Promise<'swapped' | 'none'> {
  const { wallet, anvil } = market;
  const rates = await ratesFor(asked);
  if (!rates.exchangeRates.length) return 'none';
  const rate = rates.exchangeRates[below(rates.exchangeRates.length)]!;
  const destination = `0x${'0'.repeat(36)}beef`;
  const snapshot = await anvil.rpc('evm_snapshot');
  try {
    const { amount: _, ...query } = queryOf(asked);
    const body = {
      ...query,
      walletId: 'w',
      destinationWalletId: 'd',
      exchange: rate.exchange,
      inputAmount: formatAmount(BigInt(rate.rawInputAmount!), rate.inputDecimals!),
      outputAmount: formatAmount(BigInt(rate.rawOutputAmount!), rate.outputDecimals!),
      slippage: '0.5',
    };
    const requests = await createSwap(body, { from: wallet.address, to: destination }, () => ({
      chain: market.chain,
      node: market.node,
    }));
    const held = await balanceOf(market, asked.from, wallet.address);
    const before = await balanceOf(market, asked.to, destination);
    await (real ? carryOut(market, requests) : send(market, requests));
    const gained = (await balanceOf(market, asked.to, destination)) - before;
    const spent = held - (await balanceOf(market, asked.from, wallet.address));
    const [input, output] = [BigInt(rate.rawInputAmount!), BigInt(rate.rawOutputAmount!)];
    assert.equal(gained, output, 'nobody else traded, so it is the rate itself');
    if (asked.from !== '') assert.equal(spent, input);
    else assert.ok(spent >= input && spent < input + 10n ** 17n, 'what was not needed came back');
  } finally {
    await anvil.rpc('evm_revert', snapshot);
  }
  return 'swapped';
}

test('60 random swaps give the destination what was promised, and take no more', async () => {
  let done = 0;
  while (done < 60) if ((await swapOnce(randomCase(), done < 10)) === 'swapped') done++;
});

test('a price that moves within the slippage gives at least the minimum, beyond it nothing happens', async () => {
  const { wallet, anvil, network, account } = market;
  const reach = { chain: market.chain, node: market.node };
  let [within, beyond] = [0, 0];
  for (let i = 0; i < 30; i++) {
    const asked = { ...randomCase(), orderType: 'SELL' as const };
    const from = network.tokens.find(({ address }) => address === asked.from);
    asked.decimals = from?.decimals ?? 18;
    asked.amount = sized(asked.decimals, -1, 2);
    const { bestRate } = await ratesFor(asked);
    if (!bestRate) continue;
    const snapshot = await anvil.rpc('evm_snapshot');
    try {
      const { amount: _, ...query } = queryOf(asked);
      const body = {
        ...query,
        walletId: 'w',
        exchange: bestRate.exchange,
        inputAmount: formatAmount(asked.amount, asked.decimals),
        outputAmount: bestRate.outputAmount,
        slippage: 1,
      };
      const parties = { from: wallet.address, to: wallet.address };
      const requests = await createSwap(body, parties, () => reach);
      // Somebody else is faster, the same way.
      const part = asked.amount / BigInt(20 + below(400)) || 1n;
      const other = {
        ...body,
        inputAmount: formatAmount(part, asked.decimals),
        outputAmount: null,
        slippage: 50,
      };
      const others = { from: account.address, to: account.address };
      await send(market, await createSwap(other, others, () => reach), account.address);
      const before = await balanceOf(market, asked.to, wallet.address);
      const held = await balanceOf(market, asked.from, wallet.address);
      try {
        await send(market, requests);
      } catch {
        beyond++;
        assert.equal(await balanceOf(market, asked.to, wallet.address), before);
        if (asked.from) assert.equal(await balanceOf(market, asked.from, wallet.address), held);
        continue;
      }
      within++;
      const gained = (await balanceOf(market, asked.to, wallet.address)) - before;
      // The coin also paid for gas.
      const least = (BigInt(bestRate.rawOutputAmount!) * 99n) / 100n - (asked.to === '' ? 10n ** 17n : 1n);
      assert.ok(gained >= least, `${gained} is less than ${least}`);
    } finally {
      await anvil.rpc('evm_revert', snapshot);
    }
  }
  assert.ok(within > 5, `${within} within, ${beyond} beyond`);
});

test('pairs are those that have a rate for some amount', async () => {
  const { chain, node, network } = market;
  const before = node.rounds;
  const pairs = await swapPairs({ chain, node });
  assert.ok(node.rounds - before <= 1);
  const symbols = new Set(['ETH', ...network.tokens.map(({ symbol }) => symbol)]);
  assert.ok(pairs.length > 50);
  for (const { from, to } of pairs) {
    assert.ok(symbols.has(from.symbol) && symbols.has(to.symbol));
    assert.equal(from.tokenAddress === '', from.symbol === 'ETH');
    assert.ok(pairs.some((pair) => pair.from.symbol === to.symbol && pair.to.symbol === from.symbol));
  }
  await swapPairs({ chain, node });
  assert.ok(node.rounds - before <= 1, 'the answer is kept for a while');
});
