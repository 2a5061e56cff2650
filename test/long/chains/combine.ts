/** A wallet with more coins than one payment spends: the payment is refused with a way out, the coins are combined, and then it works. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LocalUtxo } from '../../../demo/networks/esplora.ts';
import { giveCoins } from '../../many-coins.ts';
import { CASES, missing } from '../../e2e/chain-cases.ts';
import { within } from '../../waiting.ts';
import { openWorld, PIN, type WalletView, type World } from '../../e2e/harness.ts';
import { pathOf } from '../../e2e/hosts.ts';
import { consent, focused, press, tabTo } from '../../e2e/keyboard.ts';

let world: World;
before(async () => void (world = await openWorld({ chains: ['BITCOIN'] })));
after(() => world.close());

test('105 coins are combined by keyboard, and then paid at once', { skip: missing('BITCOIN') }, async () => {
  const local = world.local.BITCOIN as LocalUtxo;
  const visitor = await world.visit('iframe', pathOf('BITCOIN'), {
    viewport: { width: 360, height: 640 },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  const { page } = visitor;
  const { id: walletId, alias, address } = await visitor.createWallet('BITCOIN');
  await giveCoins(local, address, 105, 10_000n);
  local.mining = false;
  const to = await CASES.BITCOIN.fresh();
  const pay = (): Promise<WalletView> =>
    visitor.ask(
      (connect, params) => connect.transfer(params as Parameters<typeof connect.transfer>[0]),
      // More than 100 of the coins are worth, and less than all of them.
      { walletId, to, value: '0.0096', secretType: 'BITCOIN' },
    );

  let view = await pay();
  await view
    .text('Your 105 coins are enough together, but one payment can use at most 100 of them.')
    .waitFor();
  await view.text('combine coins first, under “Manage wallets”.').waitFor();
  assert.equal(await view.approval().isEnabled(), false);
  await view.leave('Reject');

  view = await visitor.opening(() => press(page, /^Manage wallets$/));
  await view.button(`Open ${alias}`).waitFor();
  await view.root.getByRole('listitem').getByText('0.0105 BTC', { exact: true }).waitFor();
  const more = new RegExp(`^More for ${alias}$`);
  await press(page, more);
  await view.root.getByRole('menuitem', { name: 'Combine coins' }).waitFor();
  while ((await focused(page)) !== 'Combine coins')
    await within(page.keyboard.press('ArrowDown'), 'the next entry');
  await within(page.keyboard.press('Enter'), 'the entry');
  await view.text('This wallet holds 105 coins').waitFor();
  assert.deepEqual(await view.axe(), []);
  await press(page, /^Combine$/);
  await view.approval().waitFor();
  // A hundred coins take a while to check, and until then no key approves.
  await view.seeAll();
  await tabTo(page, /^PIN$/);
  await view.takes('PIN');
  await within(page.keyboard.type(PIN), 'the PIN by keys');
  await consent(page, async () => (await view.approval().count()) === 0);
  await view.heading(/^Sending /).waitFor();
  await local.mine();
  await view.sent();
  await press(page, /^Done$/);

  // One coin of 100, for its fee, and 5 that were left.
  await view.root
    .getByRole('listitem')
    .getByText(/^0\.009\d+…? BTC$/)
    .waitFor();
  assert.equal(await focused(page), 'Bitcoin wallets');
  const coins = (await (await fetch(`${local.url}/address/${address}/utxo`)).json()) as unknown[];
  assert.equal(coins.length, 6);
  await press(page, more);
  await view.root.getByRole('menuitem', { name: 'Activity' }).waitFor();
  assert.equal(await view.root.getByRole('menuitem', { name: 'Combine coins' }).count(), 0);
  await view.close();
  await view.gone();

  view = await pay();
  await view.approve();
  assert.ok((await visitor.answer()).value);
  await view.leave('Close');
  await local.mine();
  assert.equal(await CASES.BITCOIN.holds(local, to), 960_000n);
  assert.deepEqual(visitor.complaints, []);
  await visitor.close();
});
