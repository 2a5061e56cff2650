/** One window of the wallet for all that a site asks, until the user or the site is gone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Wallet as EthersWallet, parseEther } from 'ethers';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { poll } from '../waiting.ts';
import { openWorld, type Visitor, type World } from './harness.ts';
import { type Hosts, startHosts } from './hosts.ts';

let world: World;
let others: Hosts;
before(async () => {
  world = await openWorld();
  others = await startHosts(world.frame);
});
after(async () => {
  await others?.close();
  await world.close();
});

const windows = ({ context }: Visitor): number =>
  context.pages().filter((page) => page.url().includes('/frame/')).length;

/** The page has just heard of the window that was left to it. */
const hearsWindow = (visitor: Visitor): Promise<void> =>
  visitor.evaluate(
    () =>
      new Promise<void>((heard) =>
        addEventListener('message', ({ data }) => data?.type === 'carabiner:ready' && heard()),
      ),
  );

test('a site links, sends and has something signed in one window, over a reload; then it is gone', async () => {
  const visitor = await world.visit('popup');
  const { address } = await visitor.wealthyWallet();
  // As on a first visit: the wallet is the user's, and this site knows nothing of it.
  await visitor.evaluate(() => localStorage.clear());
  await visitor.reload();

  const view = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
  await view.consent('Link wallets');
  await view.heading(/^Waiting for 127/).waitFor();
  const [wallet] = await visitor.wallets();
  assert.equal(wallet!.address, address);

  const to = EthersWallet.createRandom().address;
  const sending = await visitor.ask(
    (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1.5' }),
    { walletId: wallet!.id, to },
  );
  assert.ok(sending.popup === view.popup);
  await sending.approval().waitFor();
  await view.popup.waitForFunction(() => document.title === '(1) Send 1.5 ETH');
  await view.approve();
  const { value: sent } = await visitor.answer<TransactionResult>();
  await world.receipt(sent!.transactionHash);
  assert.equal(await world.chain.getBalance(to), parseEther('1.5'));
  await view.heading('Sent 1.5 ETH').waitFor();
  assert.deepEqual(await view.axe(), []);
  await view.done();

  // Another page of the same site, in the same tab, where the user is quick.
  await visitor.open('/plain');
  const signing = await visitor.ask(
    (connect, params) => connect.sign({ ...params, type: 'ETHEREUM_RAW', data: '0x48656c6c6f' }),
    { walletId: wallet!.id },
  );
  assert.ok(signing.popup === view.popup);
  await signing.approve();
  assert.equal((await visitor.answer<SignResult>()).value?.success, true);
  await view.heading(/^Waiting for 127/).waitFor();
  const list = view.root.getByRole('listitem');
  assert.deepEqual(
    (await list.allInnerTexts()).map((text) => text.split('\n')[0]),
    ['Main wallet linked', `Sent 1.5 ETH to ${to.slice(0, 6)}…${to.slice(-4)}`, 'Message signed'],
  );
  assert.equal(windows(visitor), 1);
  assert.deepEqual(await view.axe(), []);

  await view.popup.clock.install();
  await visitor.page.goto('about:blank');
  await poll(async () => {
    await view.popup.clock.runFor(1000);
    return (await view.heading(/ was closed$/).count()) > 0;
  }, 'the end of the session');
  await view.press('Close window');
  await poll(() => view.popup.isClosed(), 'the end of the window');
  await visitor.close();
});

test('another site in the same tab starts over in the window, and learns nothing of the first', async () => {
  const visitor = await world.visit('popup', '/plain');
  const wallet = await visitor.createWallet();
  const view = await visitor.ask(
    (connect, params) => connect.sign({ ...params, type: 'ETHEREUM_RAW', data: '0x48656c6c6f' }),
    { walletId: wallet.id },
  );
  await view.approve();
  await view.heading(/^Waiting for /).waitFor();
  // The attacker's page takes the window that the first site left, and asks for the first site's wallet.
  await visitor.page.goto(`${others.crossSite}/plain`);
  await visitor.ready();
  await hearsWindow(visitor);
  assert.deepEqual(await visitor.wallets(), []);
  const linking = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
  await linking.heading(`This window now belongs to ${new URL(others.crossSite).host}`).waitFor();
  assert.equal(await linking.button('Link wallets').count(), 0);
  assert.deepEqual(await linking.axe(), []);
  await linking.consent('Show the new request');
  assert.equal(await linking.text('Message signed').count(), 0);
  assert.equal(windows(visitor), 1);
  await linking.button('Link wallets').waitFor();
  await linking.close();
  await visitor.answer();
  await visitor.run(
    (connect, params) => connect.sign({ ...params, type: 'ETHEREUM_RAW', data: '0x48656c6c6f' }),
    { walletId: wallet.id },
  );
  assert.equal((await visitor.answer()).error?.code, 'wallet.forbidden');
  await visitor.close();
});

test('a window that the user closed is said to be closed, and the next request opens another', async () => {
  const visitor = await world.visit('popup');
  const { id } = await visitor.wealthyWallet();
  await visitor.evaluate((wallet) => {
    const element = document.querySelector('transfer-dialog')!;
    element.setAttribute('wallet-id', wallet);
    element.setAttribute('to', '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063');
    element.setAttribute('value', '1.5');
    element.setAttribute('secret-type', 'ETHEREUM');
  }, id);
  const view = await visitor.opening(() => visitor.button('Send').click());
  await view.approval().waitFor();
  await view.popup.close();
  await visitor.page.getByText('Your wallet window was closed').waitFor();
  await visitor.page.getByText('Nothing was approved.').waitFor();
  const again = await visitor.opening(() => visitor.button('Open in a window').click());
  await again.approval().waitFor();
  assert.ok(again.popup !== view.popup);
  await visitor.close();
});
