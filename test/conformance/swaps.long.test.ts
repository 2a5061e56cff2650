/** Rates and swaps on Uniswap's own contracts: prices match router and quoter, and swaps deliver what they promise. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatAmount } from '../../src/base/amount.ts';
import { swapPairs } from '../../src/swaps/index.ts';
import { DECIMALS, RandomMarket } from './swaps-random.ts';
import { carryOut, type Market, send, startMarket } from './swaps-setup.ts';

const SWAPS = 40;

let market: Market;
let random: RandomMarket;
before(async () => {
  market = await startMarket(DECIMALS);
  // Batches many calls in one request.
  const read = (to: string, data: string) => market.provider.call({ to, data });
  random = new RandomMarket({ ...market, account: { ...market.account, read } }, 20_241);
  await random.fill(120);
});
after(() => market?.stop());

test(`the rates of ${SWAPS} random swaps are what router and quoter answer, and the best of them is the best`, async () => {
  let found = 0;
  for (let i = 0; i < SWAPS; i++) found += await random.compare(random.case());
  assert.ok(found > SWAPS, `only ${found} of ${2 * SWAPS} had a rate`);
});

test('20 random swaps give the destination what was promised, and take no more', async () => {
  for (let done = 0; done < 20; ) {
    // Some go the wallet's whole way, from filling in to signing.
    const carry = done % 6 ? send : carryOut;
    if (await random.swap(random.case(), 10n ** 17n, (requests) => carry(market, requests))) done++;
  }
});

test('a price that moves within the slippage gives at least the minimum, beyond it nothing happens', async () => {
  const { wallet, anvil, network, account } = market;
  let [within, beyond] = [0, 0];
  for (let i = 0; i < 30; i++) {
    const asked = { ...random.case(), orderType: 'SELL' as const };
    const from = network.tokens.find(({ address }) => address === asked.from);
    asked.decimals = from?.decimals ?? 18;
    asked.amount = random.sized(asked.decimals, -1, 2);
    const { bestRate } = await random.rates(asked);
    if (!bestRate) continue;
    const snapshot = await anvil.rpc('evm_snapshot');
    try {
      const { amount: _, ...query } = random.query(asked);
      const body = {
        ...query,
        exchange: bestRate.exchange,
        inputAmount: formatAmount(asked.amount, asked.decimals),
        outputAmount: bestRate.outputAmount,
        slippage: 1,
      };
      const requests = await random.create(body, wallet.address);
      // Somebody else trades first, in the same direction.
      const part = asked.amount / BigInt(20 + random.below(400)) || 1n;
      const other = {
        ...body,
        inputAmount: formatAmount(part, asked.decimals),
        outputAmount: null,
        slippage: 50,
      };
      await send(market, await random.create(other, account.address), account.address);
      const before = await random.holds(asked.to, wallet.address);
      const held = await random.holds(asked.from, wallet.address);
      try {
        await send(market, requests);
      } catch {
        beyond++;
        // Apart from the fee.
        if (asked.to) assert.equal(await random.holds(asked.to, wallet.address), before);
        if (asked.from) assert.equal(await random.holds(asked.from, wallet.address), held);
        continue;
      }
      within++;
      const gained = (await random.holds(asked.to, wallet.address)) - before;
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
