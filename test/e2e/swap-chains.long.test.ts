/**
 * Swaps from each of four chains to each other one, as a user makes them: panel, approval, chain, and the demo's THORChain, by whose books
 * the coins arrive to the last unit.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Swap } from '../../demo/networks/thorchain/engine.ts';
import type { LocalTron } from '../../demo/networks/tron.ts';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { CHAIN_NAMES } from '../../src/chains/secret-type.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { fromThor } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import { poll } from '../waiting.ts';
import { CASES } from './chain-cases.ts';
import { axe, openWorld, type Visitor, WalletView, type World } from './harness.ts';
import { Panel, tickAll } from './swap-setup.ts';

const missing = litecoindPath() ? false : 'litecoind is not installed';

const CHAINS = ['BITCOIN', 'LITECOIN', 'ETHEREUM', 'TRON'] as const;
type Chain = (typeof CHAINS)[number];

interface Asset {
  chain: Chain;
  symbol: string;
  decimals: number;
  /** What is sold of it: less in all than a vault has of each. */
  amount: string;
  /** By the faucet's name; absent for the coin. */
  token?: string;
}
const COINS: Record<Chain, Asset> = {
  BITCOIN: { chain: 'BITCOIN', symbol: 'BTC', decimals: 8, amount: '0.001' },
  LITECOIN: { chain: 'LITECOIN', symbol: 'LTC', decimals: 8, amount: '0.7' },
  ETHEREUM: { chain: 'ETHEREUM', symbol: 'ETH', decimals: 18, amount: '0.03' },
  TRON: { chain: 'TRON', symbol: 'TRX', decimals: 6, amount: '1500' },
};
const CENTS: Asset = { chain: 'ETHEREUM', symbol: 'DCENT', decimals: 6, amount: '90', token: 'DCENT' };

const PAIRS: [Asset, Asset][] = [
  [CENTS, COINS.BITCOIN],
  [COINS.LITECOIN, CENTS],
  ...CHAINS.flatMap((from) =>
    CHAINS.filter((to) => to !== from).map((to): [Asset, Asset] => [COINS[from], COINS[to]]),
  ),
];

let world: World;
let visitor: Visitor;
let panel: Panel;
const wallets = {} as Record<Chain, Wallet>;
before(async () => {
  if (missing) return;
  world = await openWorld({ thorchain: true, chains: ['BITCOIN', 'LITECOIN', 'TRON'] });
  world.thorchain!.dropLeastFee();
  visitor = await world.visit('iframe', '/swap');
  for (const chain of CHAINS) {
    wallets[chain] = await visitor.createWallet(chain);
    await world.local[chain]!.give(COINS[chain].symbol, wallets[chain].address);
  }
  await world.ethereum.give('DCENT', wallets.ETHEREUM.address);
  await (world.local.TRON as LocalTron).fund(wallets.TRON.address, 10n ** 10n);
  await visitor.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `carabiner:${world.frame}`,
    JSON.stringify({ wallets: Object.values(wallets) }),
  ] as const);
  await visitor.reload();
  panel = new Panel(visitor.page);
});
after(async () => {
  await visitor?.close();
  await world?.close();
});

function holds({ chain, token }: Asset): Promise<bigint> {
  return CASES[chain].holds(world.local[chain]!, wallets[chain].address, token);
}

/** From the form to its review. */
async function enter(on: Panel, from: Asset, to: Asset): Promise<void> {
  await choose(on, 'Sell', from);
  await choose(on, 'Buy', to);
  await on.enter('Sell', from.amount, 'THORChain');
  await on.root.getByText('Validators of THORChain hold the coins until they pay out.').waitFor();
  await on.figure('You get at least');
}

async function choose(on: Panel, side: 'Sell' | 'Buy', { symbol, chain }: Asset): Promise<void> {
  await on.button(new RegExp(`^${side} token: `)).click();
  await on.root.getByRole('combobox', { name: 'Search tokens' }).fill(`${symbol} ${CHAIN_NAMES[chain]}`);
  await on.root
    .getByRole('option', { name: new RegExp(`^\\W*\\w?${symbol} `) })
    .first()
    .click();
  await on.button(`${side} token: ${symbol}`).waitFor();
}

/** As THORChain has carried it out, and paid. */
function settled(hash: string): Promise<Swap> {
  const { engine } = world.thorchain!;
  const key = hash.replace(/^0x/, '').toUpperCase();
  return poll(
    () => {
      // The scanner of Tron stays 19 blocks behind.
      (world.local.TRON as LocalTron).ledger.mine();
      const swap = engine.swaps.get(key);
      return swap?.isDone && swap.outs.every(({ paid }) => paid) ? swap : undefined;
    },
    `the payout of ${hash}; not noticed: ${JSON.stringify(engine.ignored)}`,
  );
}

async function arrives(to: Asset, had: bigint, swap: Swap): Promise<void> {
  assert.equal(swap.reason, undefined);
  assert.equal(swap.outs.length, 1);
  const [{ amount, isRefund }] = swap.outs as [Swap['outs'][0]];
  assert.equal(isRefund, false);
  await poll(async () => (await holds(to)) > had, `${to.symbol} of ${to.chain}`);
  assert.equal((await holds(to)) - had, fromThor(amount, to.decimals));
}

const nameOf = ({ symbol, chain }: Asset): string => `${symbol} of ${CHAIN_NAMES[chain]}`;

describe('swaps between chains', { skip: missing }, () => {
  for (const [from, to] of PAIRS)
    test(`${nameOf(from)} arrives as ${nameOf(to)}`, async () => {
      const had = await holds(to);
      await enter(panel, from, to);
      await panel.root.getByText(wallets[to.chain].address, { exact: true }).waitFor();
      assert.deepEqual(await axe(visitor.page), []);
      await panel.review();
      const view = await visitor.opening(() => panel.button('Swap').click());
      if (from.token) {
        await view.heading('2 transactions').waitFor();
        await view.press('Continue');
        await view.approval().waitFor();
        await tickAll(view);
        await view.approve();
        await view.heading(new RegExp(`^Swap ${from.amount} `)).waitFor();
      }
      await view.approval().waitFor();
      await view.seeAll();
      await tickAll(view);
      await view.approve();
      await panel.root.getByText('Sent, on its way: about').waitFor();
      await view.sent();
      await view.done();
      assert.equal(await panel.root.getByText(/^You got/).count(), 0);
      const { result } = (await visitor.events()).findLast(({ type }) => type === 'result')!;
      const { transactionHash } = (result as TransactionResult[]).at(-1)!;
      await arrives(to, had, await settled(transactionHash));
      await panel.button('New swap').click();
    });

  test('the wallet itself swaps without a site, on its own page', async () => {
    const [from, to] = [COINS.BITCOIN, COINS.ETHEREUM];
    const had = await holds(to);
    const known = new Set(world.thorchain!.engine.swaps.keys());
    const [page] = await Promise.all([
      visitor.context.waitForEvent('page'),
      visitor.page.getByRole('link', { name: 'Open my wallet' }).click(),
    ]);
    const view = new WalletView(page);
    await view.button('Swap').click();
    await view.heading('Swap').waitFor();
    const own = new Panel(page, 'cbf-swap');
    await enter(own, from, to);
    assert.deepEqual(await axe(page), []);
    await view.button('Review').click();
    await view.approval().waitFor();
    await view.seeAll();
    await tickAll(view);
    await view.approve();
    const hash = await poll(
      () => [...world.thorchain!.engine.swaps.keys()].find((key) => !known.has(key)),
      'the deposit',
    );
    await arrives(to, had, await settled(hash));
    await page.close();
  });
});
