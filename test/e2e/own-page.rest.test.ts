/** The wallet's own page, without any site: at 360 pixels and by keyboard alone, and what it shares with the wallets of sites. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { Page } from 'playwright-core';
import { poll, within } from '../waiting.ts';
import { axe, evaluateIn, newProfile, openWorld, PILL, PIN, WalletView, type World } from './harness.ts';
import { consent, press, tabTo } from './keyboard.ts';

let world: World;
before(async () => void (world = await openWorld({ chains: ['VECHAIN'] })));
after(() => world.close());

const write = (page: Page, text: string): Promise<void> =>
  within(page.keyboard.type(text), 'the text by keys');

async function choosePin(page: Page, view: WalletView, box: string): Promise<void> {
  await view.box(box).waitFor();
  await view.takes(box);
  await tabTo(page, new RegExp(`^${box}$`));
  await write(page, PIN);
  await press(page, /^Continue$/);
}

/** Sends from the row of a coin, to somebody new. */
async function sendTo(page: Page, view: WalletView, coin: string, to: string, amount: string): Promise<void> {
  await view.button(new RegExp(`^Send ${coin}\\b`)).waitFor();
  await press(page, new RegExp(`^Send\\s+${coin}\\b`));
  await view.box('Recipient').waitFor();
  await tabTo(page, /^Recipient$/);
  await write(page, to);
  await tabTo(page, /^Amount$/);
  await write(page, amount);
  await press(page, /^Continue$/);
  await view.approval().waitFor();
  await view.takes('PIN');
  await tabTo(page, /^PIN$/);
  // On the way, Tab may have scrolled the amount out of view before it counted as seen.
  await view.seeAll(() => press(page, PILL));
  await tabTo(page, /^PIN$/);
  await write(page, PIN);
  await consent(page, async () => (await view.heading('Sent').count()) > 0);
  await press(page, /^Done$/);
}

/** The address on screen, which a new wallet shows. */
async function leaveAddress(page: Page, view: WalletView, coins: string): Promise<string> {
  await view.heading(`Receive ${coins}`).waitFor();
  const address = (await view
    .text(/^0x[0-9a-fA-F]{40}$/)
    .first()
    .textContent())!;
  await press(page, /^Done$/);
  return address.trim();
}

test('is set up, receives and sends on two chains, and lists what was done, at 360 px by keyboard alone', async () => {
  const context = await newProfile(world.browser, { viewport: { width: 360, height: 640 } });
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (/Content.Security.Policy|Trusted/i.test(message.text())) complaints.push(message.text());
  });
  context.on('weberror', (thrown) => complaints.push(String(thrown.error().stack)));
  const page = await context.newPage();
  await page.goto(`${world.frame}/`);
  assert.equal(page.url(), `${world.frame}/wallet/`);
  const view = new WalletView(page);
  const fits = async (): Promise<void> => {
    assert.equal(await evaluateIn(page)(() => document.documentElement.scrollWidth), 360);
    assert.deepEqual(await axe(page), []);
  };

  await view.heading('Set up your wallet').waitFor();
  await view.text('A site only sees wallets that you link to it.').waitFor();
  await fits();
  await press(page, /^Create wallet$/);
  for (const box of ['PIN', 'Confirm PIN']) await choosePin(page, view, box);
  await view.button('Remind me later').waitFor();
  await press(page, /^Remind me later$/);
  const ethereum = await leaveAddress(page, view, 'ETH');

  await view.button('Manage wallets').waitFor();
  assert.equal(await view.button('Back').count(), 0);
  await press(page, /^Manage wallets$/);
  await view.root.getByRole('radio', { name: /VeChain/ }).waitFor();
  await tabTo(page, /Ethereum/, 'input');
  await page.keyboard.press('ArrowDown');
  await press(page, /^Continue$/);
  await view.heading('VeChain wallets').waitFor();
  await press(page, /^Create wallet$/);
  await choosePin(page, view, 'PIN');
  const vechain = await leaveAddress(page, view, 'VET, VTHO');
  await view.button('All wallets').waitFor();
  await fits();

  await world.ethereum.give('ETH', ethereum);
  for (const asset of ['VET', 'VTHO']) await world.local.VECHAIN!.give(asset, vechain);
  await press(page, /^Refresh$/);
  const [first, second] = [EthersWallet.createRandom().address, EthersWallet.createRandom().address];
  await sendTo(page, view, 'ETH', first, '0.125');
  await poll(async () => (await world.chain.getBalance(first)) === parseEther('0.125'), 'the first payment');
  await sendTo(page, view, 'VET', second.toLowerCase(), '2');

  await view.root.getByRole('tab', { name: 'Tokens' }).waitFor();
  await fits();
  await tabTo(page, /^Tokens$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await view.root.getByRole('button', { name: /Sent.*ETH/ }).waitFor();
  await press(page, /Sent.*VET/s);
  await view.text('You').first().waitFor();
  await view.root.getByRole('term').getByText('Asked by').waitFor();
  await press(page, /^Back$/);
  await view.button('All wallets').waitFor();
  assert.deepEqual(complaints, []);
  await within(context.close(), 'the end of a profile');
});

test('has the wallets of sites, which see none of its own, and gives a code of its address without a secret', async () => {
  const visitor = await world.visit('iframe');
  const wallet = await visitor.wealthyWallet();
  const [page] = await Promise.all([
    visitor.context.waitForEvent('page'),
    visitor.page.getByRole('link', { name: 'Open my wallet' }).click(),
  ]);
  const view = new WalletView(page);
  await view.button(`Copy address of ${wallet.alias}`).waitFor();
  assert.equal(page.url(), `${world.frame}/wallet/`);
  assert.equal(await evaluateIn(page)(() => window.opener), null);
  const tools = await visitor.context.newCDPSession(page);
  const { errors, url } = await tools.send('Page.getAppManifest');
  assert.deepEqual([errors, url], [[], `${world.frame}/wallet/manifest.json`]);
  const { installabilityErrors } = await tools.send('Page.getInstallabilityErrors');
  // The tests' profiles are such as nothing can be installed in.
  assert.deepEqual(
    installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'),
    [],
  );

  await view.button('Settings').click();
  await view.text('1 site sees your wallets').waitFor();
  await view.button('Show sites').click();
  await view.text(visitor.origin.replace('http://', '')).waitFor();
  assert.equal(await view.root.getByRole('listitem').count(), 1);
  await view.button('Back').click();
  assert.equal(await view.button('Lock now').count(), 0);
  await view.button('Show code').click();
  await view.root.getByRole('img', { name: 'QR code of the address of your wallet' }).waitFor();
  await view.text(world.frame).last().waitFor();
  await visitor.close();
});
