/**
 * A walk through the wallet's views in two looks, and what a screen reader says of some. It takes half a minute each time; unit tests look
 * at each view in `npm test`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Interface, MaxUint256 } from 'ethers';
import type { Frame, Page } from 'playwright-core';
import {
  axe,
  evaluateIn,
  openWorld,
  PIN,
  type Visitor,
  type VisitOptions,
  type WalletView,
  type World,
} from '../e2e/harness.ts';
import '../e2e/screen-reader.rest.test.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

/** Goes through every view that a user can reach, and calls `look` for each. */
async function walk(
  visitor: Visitor,
  look: (name: string, where: Frame | Page) => Promise<void>,
): Promise<void> {
  const at = async (name: string, view: WalletView): Promise<void> => look(name, await view.frame());
  const { page } = visitor;
  await look('elements without wallets', page);

  await visitor.button('Connect wallet').click();
  await visitor.button('I have one').waitFor();
  await look('chooser', page);
  let view = await visitor.opening(() => visitor.button('I have one').click());
  await view.root.getByRole('heading').first().waitFor();
  await view.close();
  await view.gone();

  view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.button('Create wallet').waitFor();
  await at('first use', view);
  await view.button('Import wallet').click();
  await view.box('12 words').waitFor();
  await at('import', view);
  await view.button('Back').click();
  await view.button('Create wallet').click();
  await view.type('PIN', '1234');
  await at('choose a PIN, easy to guess', view);
  await view.button('Clear PIN').click();
  await view.type('PIN', PIN);
  await view.button('Continue').click();
  await view.type('Confirm PIN', '111111');
  await view.button('Continue').click();
  await view.text('The PINs do not match').first().waitFor();
  await at('confirm the PIN, no match', view);
  await view.type('Confirm PIN', PIN);
  await view.button('Continue').click();
  await view.button('Show words').waitFor();
  await at('back up, hidden', view);
  const words = await view.words();
  await at('back up, shown', view);
  await view.button('I wrote them down').click();
  const asked = view.box(/^Word \d+$/);
  await asked.first().fill('wrong');
  await at('check your copy', view);
  await view.confirmWords(words);
  await view.heading('Receive ETH').waitFor();
  await at('receive', view);
  await view.leaveAddress();
  const wallet = (await visitor.wallets())[0]!;
  await world.ethereum.give('ETH', wallet.address);
  await world.ethereum.give('DUSD', wallet.address);
  await look('elements with a wallet', page);

  view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view
    .button(/^More for /)
    .first()
    .waitFor();
  await at('manage', view);
  const more = (item: string): Promise<void> =>
    view
      .button(/^More for /)
      .first()
      .click()
      .then(() => view.root.getByRole('menuitem', { name: item }).click());
  await view
    .button(/^More for /)
    .first()
    .click();
  await at('wallet menu', view);
  await view.root.getByRole('menuitem', { name: 'Rename' }).click();
  await view.box('Alias').waitFor();
  await at('rename', view);
  await view.button('Cancel').click();
  await more('Export');
  await view.root.getByRole('checkbox', { name: /^I understand the risk/ }).check();
  await at('export, before', view);
  await view.type('PIN', PIN);
  await view.button('Show private key').click();
  await view.button('Copy private key').waitFor();
  await at('export, shown', view);
  await view.press('Done');
  await more('Archive');
  await view.button('Archive').waitFor();
  await at('archive', view);
  await view.button('Cancel').click();
  await view.button('Settings').click();
  await view.button('Change PIN').waitFor();
  await at('settings', view);
  await view.button('Change PIN').click();
  await view.box('Current PIN').waitFor();
  await at('change PIN', view);
  await leave(view);

  view = await visitor.opening(() => visitor.button('Add wallets').click());
  await view.button('Link wallets').waitFor();
  await at('link', view);
  await view.leave('Reject');

  await visitor.button('Send').click();
  await page.getByRole('textbox', { name: 'Recipient' }).fill('0x12');
  await page.getByRole('textbox', { name: 'Amount' }).fill('1000000');
  await page.getByRole('dialog', { name: 'Send' }).getByRole('button', { name: 'Continue' }).click();
  await look('transfer form with errors', page);
  const form = page.getByRole('dialog', { name: 'Send' });
  await form.getByRole('button', { name: 'Close', exact: true }).click();
  await look('transfer form, close without sending', page);
  await form.getByRole('button', { name: 'Discard' }).click();

  const execute = (request: Record<string, unknown>): Promise<WalletView> =>
    visitor.ask((connect, body) => connect.execute(body as never), {
      type: 'ETH_TRANSACTION' as const,
      walletId: wallet.id,
      value: 0,
      ...request,
    });
  const erc20 = new Interface(['function approve(address,uint256)']);
  view = await execute({
    to: world.ethereum.contracts.DUSD,
    data: erc20.encodeFunctionData('approve', ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', MaxUint256]),
  });
  await view.root.getByRole('checkbox', { name: /^I understand the risk/ }).waitFor();
  await at('approve, unlimited limit', view);
  await view.leave('Reject');

  view = await execute({ to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', value: '100000000000000000000' });
  await view
    .text(/^Not enough ETH/)
    .first()
    .waitFor();
  await at('approve, not enough', view);
  await view.leave('Reject');

  world.node.down = true;
  view = await execute({ to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', value: '1' });
  await view.heading('Cannot reach Ethereum').waitFor();
  await at('node unreachable', view);
  world.node.down = false;
  await view.button('Retry').click();
  await view.approval().waitFor();
  await at('approve', view);
  await view.button('Show PIN pad').click();
  await at('approve, PIN pad open', view);
  await view.approve('000000');
  await view
    .text(/^Wrong PIN/)
    .first()
    .waitFor();
  await at('wrong PIN', view);
  const held = world.node.hold();
  await view.approve();
  const { release } = await held;
  await at('sending', view);
  release();
  await view.sent();
  await at('sent', view);
  await view.done();

  const sign = (data: string): Promise<WalletView> =>
    visitor.ask((connect, params) => connect.sign(params), {
      type: 'ETHEREUM_RAW' as const,
      walletId: wallet.id,
      data,
    });
  view = await sign('0x48656c6c6f');
  await view.approval().waitFor();
  await at('approve a message', view);
  await view.leave('Reject');
  view = await sign('0xff00fe01');
  await view.root.getByRole('checkbox', { name: /^I understand the risk/ }).waitFor();
  await at('approve bytes', view);
  await view.root.getByRole('checkbox', { name: /^I understand the risk/ }).check();
  for (let wrong = 0; wrong < 5; wrong++) {
    await view.approve('000000');
    await view
      .text(
        wrong < 4
          ? `Wrong PIN. ${wrong === 3 ? '1 attempt' : `${4 - wrong} attempts`} left.`
          : 'Locked for a while',
      )
      .first()
      .waitFor();
  }
  await at('locked', view);
  await view.leave('Reject');
}

/** Closes the wallet, whatever it shows. */
async function leave(view: WalletView): Promise<void> {
  if (view.host) await view.close();
  else await view.popup.close();
  await view.gone();
}

const LOOKS: [string, VisitOptions][] = [
  ['in dark, at 360 px, in a dialog', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
  ['in light, wide, in a dialog', { colorScheme: 'light' }],
];

for (const [look, options] of LOOKS)
  test(`axe finds nothing in any view, and nothing is cut off (${look})`, async () => {
    const visitor = await world.visit('iframe', '/', { ...options, reducedMotion: 'reduce' });
    const found: string[] = [];
    await walk(visitor, async (name, at) => {
      for (const violation of await axe(at)) found.push(`${name}: ${violation}`);
      const [needed, width] = await evaluateIn(at)(
        () => [document.documentElement.scrollWidth, innerWidth] as const,
      );
      if (needed > width) found.push(`${name}: needs ${needed} px of ${width}`);
    });
    assert.deepEqual(found, []);
    await visitor.close();
  });
