/**
 * The browser is killed (SIGKILL) at twenty moments of swaps between chains, from the form to the payout, and started again with its profile:
 * a swap that was sent goes on by itself, is one entry of the activity, and is never sent twice; its coins arrive, or never left.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import type { Swap } from '../../demo/networks/thorchain/engine.ts';
import type { LocalTron } from '../../demo/networks/tron.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { fromThor } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { CASES } from './chain-cases.ts';
import { killBrowser, launchProfile, openWorld, Visitor, type WalletView, type World } from './harness.ts';
import { Panel, storedActivity, tickAll } from './swap-setup.ts';

const AMOUNT = '1500';
const SUN = 1_500_000_000n;
const FUNDS = 100_000_000_000n;

let world: World;
let tron: LocalTron;
let profile: string;
let context: BrowserContext;
let visitor: Visitor;
let panel: Panel;
let view: WalletView;
let wallet: Wallet;
let recipient: Wallet;
/** What there was when the current swap began. */
let requests = 0;
let blocks = 0;
let known: ReadonlySet<string>;

const start = async (): Promise<void> => {
  context = await launchProfile(profile);
  context.setDefaultTimeout(DEADLINE_MS);
  const page = context.pages()[0] ?? (await context.newPage());
  visitor = new Visitor(world, context, page, 'iframe');
};
before(async () => {
  world = await openWorld({ thorchain: true, chains: ['TRON'] });
  world.thorchain!.dropLeastFee();
  tron = world.local.TRON as LocalTron;
  profile = mkdtempSync(join(tmpdir(), 'carabiner-swap-kills-'));
  await start();
  await visitor.open('/plain');
  wallet = await visitor.createWallet('TRON');
  recipient = await visitor.createWallet('ETHEREUM');
  await tron.fund(wallet.address, FUNDS);
  await visitor.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `carabiner:${world.frame}`,
    JSON.stringify({ wallets: [wallet, recipient] }),
  ] as const);
  // Writes all of it.
  await context.close();
  await start();
});
after(async () => {
  await context?.close();
  await world?.close();
  if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

const swaps = (): Swap[] => [...world.thorchain!.engine.swaps.values()];
const current = (): Swap | undefined => swaps().find(({ deposit }) => !known.has(deposit.hash));
const isPaid = ({ outs }: Swap): boolean => outs.length > 0 && outs.every(({ paid }) => paid);
/** Blocks come without transactions, too; all of these are the wallet's. */
const isMined = (): boolean =>
  tron.ledger.blocks.slice(blocks + 1).some(({ transactions }) => transactions.length > 0);

/** Waits for so many requests to the node since Approve, or for what comes after them. */
const requested = (count: number): Promise<unknown> =>
  poll(() => tron.requests.length >= requests + count || isMined(), `request ${count}`);

/** Lets the chain go on until the exchange has come as far. */
const reached = (what: string, is: (swap: Swap) => boolean): Promise<unknown> =>
  poll(() => {
    tron.ledger.mine();
    const swap = current();
    return swap && is(swap);
  }, what);

async function choose(side: 'Sell' | 'Buy', symbol: string, chain: string): Promise<void> {
  await panel.button(new RegExp(`^${side} token: `)).click();
  await panel.root.getByRole('combobox', { name: 'Search tokens' }).fill(`${symbol} ${chain}`);
  await panel.root
    .getByRole('option', { name: new RegExp(`^\\W*\\w?${symbol} `) })
    .first()
    .click();
  await panel.button(`${side} token: ${symbol}`).waitFor();
}

/** What a user does, and what then happens, in order. */
const STEPS: Record<string, () => Promise<unknown>> = {
  'the form is filled in': async () => {
    await choose('Sell', 'TRX', 'Tron');
    await choose('Buy', 'ETH', 'Ethereum');
    await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).fill(AMOUNT);
  },
  'there is an offer': () => panel.enter('Sell', AMOUNT, 'THORChain'),
  'the swap is reviewed': () => panel.review(),
  'the wallet is asked': async () => {
    view = await visitor.opening(() => panel.button('Swap').click());
  },
  'the approval is open': async () => {
    await view.approval().waitFor();
    await tickAll(view);
  },
  'everything is seen': () => view.seeAll(),
  'the PIN is typed': () => view.enterPin(),
  'Approve is pressed': async () => {
    requests = tron.requests.length;
    // The browser may be gone before it hears of it.
    void view.consent('Approve').catch(() => {});
  },
  'one request has followed': () => requested(1),
  'two requests have followed': () => requested(2),
  'three requests have followed': () => requested(3),
  'four requests have followed': () => requested(4),
  'five requests have followed': () => requested(5),
  'it is in a block': () => poll(isMined, 'the block'),
  'it is on its way': () => panel.root.getByText('Sent, on its way: about').waitFor(),
  'blocks are still missing': async () => {
    for (let block = 1; block < 10; block++) tron.ledger.mine();
  },
  'the exchange has seen it': () => reached('the deposit', () => true),
  'it is swapped': () => reached('the swap', ({ isDone }) => isDone),
  'the payout is planned': () => reached('the payout', ({ outs }) => outs.length > 0),
  'it is paid out': () => reached('what was paid out', isPaid),
};

/** The wallet's activity after the start: all that was sent is in it, once, and ends by itself. */
async function settled(): Promise<void> {
  await visitor.open('/plain');
  await visitor.passMinute();
  const wallets = await visitor.opening(() =>
    visitor.run((connect) => connect.manageWallets({ chain: 'TRON' })),
  );
  await wallets.button(`More for ${wallet.alias}`).click();
  await wallets.root.getByRole('menuitem', { name: 'Activity' }).click();
  await wallets.heading('Activity').waitFor();
  const stored = await storedActivity(wallets);
  const rows = wallets.root.getByRole('listitem').filter({ hasText: 'TRX →' });
  const own = Object.keys(stored).length;
  await poll(async () => (await rows.count()) === own, 'its rows');
  // Signed, and perhaps never sent.
  if (Object.values(stored).includes('unknown')) {
    await rows.first().getByRole('button').click();
    const again = wallets.button('Send again');
    if ((await again.count()) > 0) await again.click();
    await wallets.button('Back').click();
  }
  await poll(async () => {
    tron.ledger.mine();
    return (await rows.filter({ hasText: 'Swapped' }).count()) === own;
  }, 'every swap paid out');
  assert.deepEqual(
    swaps()
      .map(({ deposit }) => deposit.hash.toLowerCase())
      .sort(),
    Object.keys(stored).sort(),
  );
  await wallets.button('Back').click();
  await wallets.close();
  await wallets.gone();
}

async function fundsAreWhole(had: bigint): Promise<void> {
  const deposits = swaps().filter(({ deposit }) => !known.has(deposit.hash));
  assert.ok(deposits.length <= 1, 'one approval has two deposits');
  const paid = deposits.flatMap(({ outs }) => outs);
  for (const { deposit, reason } of deposits) {
    assert.equal(reason, undefined);
    assert.equal(fromThor(deposit.amount, 6), SUN);
  }
  assert.deepEqual(
    paid.map(({ to, isRefund }) => [to.toLowerCase(), isRefund]),
    deposits.map(() => [recipient.address.toLowerCase(), false]),
  );
  const sum = paid.reduce((all, { amount }) => all + fromThor(amount, 18), 0n);
  const holds = () => world.chain.getBalance(recipient.address);
  await poll(async () => (await holds()) === had + sum, 'the coins that were paid out');
  // Less than one deposit's worth of fees is paid in all.
  const spent = FUNDS - (await CASES.TRON.holds(tron, wallet.address));
  assert.equal(Number(spent / SUN), swaps().length, 'more was sent than the exchange has');
}

const MOMENTS = Object.keys(STEPS);
for (const [index, moment] of MOMENTS.entries())
  test(`killed when ${moment}, the browser goes on with the swap or has sent nothing`, async () => {
    known = new Set(swaps().map(({ deposit }) => deposit.hash));
    const had = await world.chain.getBalance(recipient.address);
    blocks = tron.ledger.head.number;
    await visitor.open('/swap');
    panel = new Panel(visitor.page);
    for (const step of MOMENTS.slice(0, index + 1)) await STEPS[step]!();
    await killBrowser(context, profile);
    await start();
    await settled();
    await fundsAreWhole(had);
    const sent = MOMENTS.indexOf('it is in a block');
    if (index >= sent) assert.ok(current(), 'it was in a block');
    if (index < MOMENTS.indexOf('Approve is pressed')) assert.equal(current(), undefined);
  });
