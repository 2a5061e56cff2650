/** An order in parts that a site asks for, of which the later ones fail: the wallet tells what came, what came back, and why. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseUnits } from 'ethers';
import type { LocalTron } from '../../demo/networks/tron.ts';
import type { Swap } from '../../demo/networks/thorchain/engine.ts';
import { fromThor, toThor } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import { poll } from '../waiting.ts';
import { CASES } from './chain-cases.ts';
import { openWorld, type Visitor, type World } from './harness.ts';
import { tickAll } from './swap-setup.ts';

/** Sun; of its four parts each is more than the least one of the demo's pools. */
const COINS = 132_000_000_000n;

let world: World;
let visitor: Visitor;
let tron: LocalTron;
before(async () => {
  world = await openWorld({ thorchain: true, chains: ['TRON'] });
  world.thorchain!.dropLeastFee();
  tron = world.local.TRON as LocalTron;
  visitor = await world.visit('iframe', '/plain');
});
after(async () => {
  await visitor?.close();
  await world?.close();
});

/** Lets Tron go on until its deposit has come as far. */
async function reached(what: string, is: (swap: Swap) => boolean): Promise<Swap> {
  return poll(() => {
    tron.ledger.mine();
    const [swap] = world.thorchain!.engine.swaps.values();
    return swap && is(swap) ? swap : undefined;
  }, what);
}

test('an order in parts needs a tick, and ends in the activity with both amounts and the reason', async () => {
  const { books, vaultOn } = world.thorchain!;
  books.mimir.set('STREAMINGSWAPPAUSE', 0);
  const wallet = await visitor.createWallet('TRON');
  const recipient = await visitor.createWallet('ETHEREUM');
  await tron.fund(wallet.address, COINS + 100_000_000n);
  const hadEther = await world.chain.getBalance(recipient.address);
  const whole = books.snapshot().swap('TRON.TRX', 'ETH.ETH', toThor(COINS, 6)).out;
  const memo = `=:e:${recipient.address}:${(whole * 97n) / 100n}/3/4`;
  const request = {
    type: 'TRX_TRANSACTION' as const,
    walletId: wallet.id,
    to: vaultOn('TRON'),
    value: `${COINS}`,
    data: `0x${Buffer.from(memo).toString('hex')}`,
  };
  const view = await visitor.opening(() => visitor.run((connect, asked) => connect.execute(asked), request));
  await view.approval().waitFor();
  await view.root.getByText('It is swapped in parts').waitFor();
  await view.seeAll();
  await tickAll(view);
  await view.approve();
  await view.sent();
  await view.done();
  // The price falls by a third after the first part.
  const { stream } = await reached('the first part', (swap) => swap.stream?.count === 1n);
  const pool = books.pool('ETH.ETH');
  pool.balanceAsset = (pool.balanceAsset * 2n) / 3n;
  const { gained } = stream!;
  const held = await CASES.TRON.holds(tron, wallet.address);
  const { outs } = await reached('the payments', ({ outs: all }) => all.length === 2);
  // Their delay is not what is tested.
  for (const out of outs) out.height = books.height;
  await reached('their transactions', ({ outs: all }) => all.every(({ paid }) => paid));
  tron.ledger.mine();

  const paid = fromThor(gained - books.outboundFee('ETH.ETH'), 18);
  const back = (COINS * 3n) / 4n - fromThor(books.outboundFee('TRON.TRX'), 6);
  await poll(
    async () => (await world.chain.getBalance(recipient.address)) - hadEther === paid,
    'what the first part gave',
  );
  assert.equal((await CASES.TRON.holds(tron, wallet.address)) - held, back);

  await visitor.passMinute();
  const wallets = await visitor.opening(() =>
    visitor.run((connect) => connect.manageWallets({ chain: 'TRON' })),
  );
  await wallets.button(`More for ${wallet.alias}`).click();
  await wallets.root.getByRole('menuitem', { name: 'Activity' }).click();
  await wallets.heading('Activity').waitFor();
  const row = wallets.root.getByRole('listitem').filter({ hasText: 'TRX →' });
  await row.filter({ hasText: 'Came back' }).waitFor();
  await row.getByRole('button').first().click();
  const told =
    'A part was swapped, and the rest came back, each less a fee. Parts that came back: 3 of 4. The price moved past your limit.';
  await wallets.root.getByText(told).waitFor();
  assert.equal(parseUnits(await wallets.figure('Received'), 18), paid);
  assert.equal(parseUnits(await wallets.figure('Came back'), 6), back);
});
