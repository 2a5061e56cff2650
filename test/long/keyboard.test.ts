/** By keyboard alone, what `test/e2e/access.rest.test.ts` and `test/e2e/checkout.rest.test.ts` leave out: swap, execute, typed data, and the wallet's own views. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseEther, verifyTypedData, Wallet as EthersWallet } from 'ethers';
import type { Page } from 'playwright-core';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { poll, within } from '../waiting.ts';
import { openWorld, PILL, PIN, type Visitor, type WalletView, type World } from '../e2e/harness.ts';
import { consent, press, tabTo } from '../e2e/keyboard.ts';
import { permitOf } from '../e2e/typed-requests.ts';

let world: World;
before(async () => void (world = await openWorld({ exchanges: true })));
after(() => world.close());

const write = (page: Page, text: string): Promise<void> =>
  within(page.keyboard.type(text), 'the text by keys');

async function approve({ page }: Visitor, view: WalletView, done: () => Promise<boolean>): Promise<void> {
  await view.approval().waitFor();
  await view.takes('PIN');
  await tabTo(page, /^PIN$/);
  // On the way, Tab may have scrolled the amount out of view before it counted as seen.
  await view.seeAll(() => press(page, PILL));
  await tabTo(page, /^PIN$/);
  await write(page, PIN);
  await consent(page, done);
}

/** From the wallet's own view, to somebody new. */
async function sendTo(visitor: Visitor, view: WalletView, ether: string): Promise<string> {
  const { page } = visitor;
  const to = EthersWallet.createRandom().address;
  await view.button('Send').waitFor();
  await press(page, /^Send$/);
  await view.box('Recipient').waitFor();
  await tabTo(page, /^Recipient$/);
  await write(page, to);
  await tabTo(page, /^Amount$/);
  await write(page, ether);
  await press(page, /^Continue$/);
  await approve(visitor, view, () => isThere(view, 'Sent'));
  await poll(
    async () => (await world.chain.getBalance(to)) === parseEther(ether) || undefined,
    'the payment',
  );
  await press(page, /^Done$/);
  return to;
}

const isThere = async (view: WalletView, heading: string): Promise<boolean> =>
  (await view.heading(heading).count()) > 0;

test('by keyboard alone: a permit, a contract call and a swap', async () => {
  const visitor = await world.visit('iframe', '/swap');
  const { page } = visitor;
  const wallet = await visitor.wealthyWallet();
  const data = permitOf(world, wallet);
  let view = await visitor.ask((connect, params) => connect.sign(params), {
    type: 'ETHEREUM_TYPED_DATA' as const,
    walletId: wallet.id,
    data,
  });
  await approve(visitor, view, async () => (await page.locator('dialog[open] iframe').count()) === 0);
  const { result } = (await visitor.answer<SignResult>()).value!;
  assert.equal(verifyTypedData(data.domain, data.types, data.message, result.signature), wallet.address);

  view = await visitor.ask((connect, request) => connect.execute(request), {
    type: 'ETH_TRANSACTION' as const,
    walletId: wallet.id,
    to: EthersWallet.createRandom().address,
    value: 1,
  });
  await approve(visitor, view, () => isThere(view, 'Sent'));
  assert.ok((await visitor.answer<TransactionResult>()).value);
  await press(page, /^Done$/);
  await view.gone();

  await press(page, /^Buy token: /);
  await write(page, 'DUSD');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Buy token: DUSD' }).waitFor();
  await tabTo(page, /^Sell$/);
  await write(page, '0.5');
  await page.getByRole('radio', { name: /^Uniswap/, checked: true }).waitFor();
  await press(page, /^Review$/);
  await page.getByRole('heading', { name: 'Review swap' }).waitFor();
  view = await visitor.opening(() => press(page, /^Swap$/));
  await approve(visitor, view, () => isThere(view, 'Swapped'));
  await press(page, /^Done$/);
  await page
    .getByText(/^You got \d/)
    .first()
    .waitFor();
  await visitor.close();
});

test('by keyboard alone: back up, receive, send from the wallet, settings, restore', async () => {
  const visitor = await world.visit('iframe');
  const { page } = visitor;
  let view = await visitor.opening(() => press(page, /^Manage wallets$/));
  await view.button('Create wallet').waitFor();
  await press(page, /^Create wallet$/);
  for (const box of ['PIN', 'Confirm PIN']) {
    await view.box(box).waitFor();
    await tabTo(page, new RegExp(`^${box}$`));
    await write(page, PIN);
    await press(page, /^Continue$/);
  }
  await view.button('Show words').waitFor();
  await press(page, /^Show words$/);
  const list = view.root.getByRole('list', { name: 'Your 12 words' }).getByRole('listitem');
  const words = (await list.allInnerTexts()).map((item) => item.replace(/\d+|\s/g, ''));
  await press(page, /^I wrote them down$/);
  await view.heading('Check your copy').waitFor();
  for (let word = 1; word <= 12; word++) {
    if (!(await view.box(`Word ${word}`).count())) continue;
    await tabTo(page, new RegExp(`^Word ${word}$`));
    await write(page, words[word - 1]!);
  }
  await press(page, /^Finish$/);
  await view.heading('Receive ETH').waitFor();
  await press(page, /^Copy address$/);
  await press(page, /^Done$/);
  await view.gone();
  const wallet = (await visitor.wallets())[0]!;
  await world.ethereum.give('ETH', wallet.address);

  view = await visitor.opening(() => press(page, /^Manage wallets$/));
  await view.button(`Open ${wallet.alias}`).waitFor();
  await press(page, new RegExp(`^Open ${wallet.alias}$`));
  await view.root.getByText('ETH', { exact: true }).first().waitFor();
  await press(page, /^Receive$/);
  await view.heading('Receive ETH').waitFor();
  page.keyboard.press('Escape').catch(() => {});
  await view.root.getByRole('tab', { name: 'Tokens' }).waitFor();
  await sendTo(visitor, view, '0.125');

  await view.button('Settings').waitFor();
  await press(page, /^Settings$/);
  await view.button('Change PIN').waitFor();
  const saving = page.waitForEvent('download');
  await press(page, /^Save back-up file$/);
  await view.box('PIN').waitFor();
  await tabTo(page, /^PIN$/);
  await write(page, PIN);
  await press(page, /^Continue$/);
  await saving;
  await view.button('I have the file').waitFor();
  await press(page, /^I have the file$/);
  await view.button('Lock now').waitFor();
  await press(page, /^Lock now$/);
  await view.heading('Your wallet is locked').waitFor();
  await visitor.close();

  const other = await world.visit('iframe');
  await press(other.page, /^Connect wallet$/);
  await other.button('I have one').waitFor();
  view = await other.opening(() => press(other.page, /^I have one$/));
  await view.box('12 words').waitFor();
  await tabTo(other.page, /^12 words$/, 'textarea');
  await write(other.page, words.join(' '));
  await press(other.page, /^Import wallet$/);
  for (const box of ['PIN', 'Confirm PIN']) {
    await view.box(box).waitFor();
    await tabTo(other.page, new RegExp(`^${box}$`));
    await write(other.page, PIN);
    await press(other.page, /^Continue$/);
  }
  await view.button('Link wallets').waitFor();
  await view.button('Link wallets').click({ trial: true });
  await tabTo(other.page, /^Link wallets$/);
  await consent(other.page, async () => (await other.wallets()).length === 1);
  assert.equal((await other.wallets())[0]?.address, wallet.address);

  view = await other.opening(() => press(other.page, /^Manage wallets$/));
  await view.button(`Open ${wallet.alias}`).waitFor();
  await press(other.page, new RegExp(`^Open ${wallet.alias}$`));
  await sendTo(other, view, '0.25');
  await other.close();
});

test('by keyboard alone: tabs, NFTs, recipients, a transaction that waits', async () => {
  const visitor = await world.visit('iframe');
  const { page } = visitor;
  const wallet = await visitor.wealthyWallet();
  const view = await visitor.opening(() => press(page, /^Manage wallets$/));
  await view.button(`Open ${wallet.alias}`).waitFor();
  await press(page, new RegExp(`^Open ${wallet.alias}$`));
  const tab = (name: string) => view.root.getByRole('tab', { name, exact: true });
  await tab('Tokens').waitFor();
  for (const [from, to] of [
    ['Tokens', 'NFTs'],
    ['NFTs', 'Activity'],
  ] as const) {
    await tabTo(page, new RegExp(`^${from}$`), '[role=tab]');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await view.root.getByRole('tab', { name: to, selected: true }).waitFor();
  }
  await tabTo(page, /^Activity$/, '[role=tab]');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');

  const ada = EthersWallet.createRandom().address;
  await view.button('Send').waitFor();
  await press(page, /^Send$/);
  await view.button('Known recipients').waitFor();
  await press(page, /^Known recipients$/);
  await press(page, /^Add recipient$/);
  await view.box('Address').waitFor();
  await tabTo(page, /^Name$/);
  await write(page, 'Ada');
  await tabTo(page, /^Address$/);
  await write(page, ada);
  await press(page, /^Save$/);
  await view.button(/^Ada/).waitFor();
  await tabTo(page, /^Ada/);
  await consent(page, async () => (await view.box('Recipient').count()) > 0);
  await poll(async () => (await view.box('Recipient').inputValue()) === ada || undefined, 'the recipient');
  await tabTo(page, /^Amount$/);
  await write(page, '0.125');
  await press(page, /^Continue$/);
  await world.chain.send('evm_setAutomine', [false]);
  try {
    await approve(visitor, view, () => isThere(view, 'Sending 0.125 ETH'));
    await view.button('Close').last().waitFor();
    page.keyboard.press('Escape').catch(() => {});
    await tab('Activity').waitFor();
    await tabTo(page, /^Tokens$/, '[role=tab]');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await view.button(/^Sending/).waitFor();
    await press(page, /^Sending/);
    await view.button('Speed up').waitFor();
    await press(page, /^Speed up$/);
    await approve(
      visitor,
      view,
      async () => (await view.root.getByText(/You can close this window/).count()) > 0,
    );
    await world.chain.send('evm_mine', []);
    await view.heading('Sent').waitFor();
    await press(page, /^Done$/);
  } finally {
    await world.chain.send('evm_setAutomine', [true]);
  }
  assert.equal(await world.chain.getBalance(ada), parseEther('0.125'));
  await visitor.close();
});
