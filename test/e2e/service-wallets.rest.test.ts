/** Service wallets when something goes wrong: lost answers, pages that close, another device, a service that is down. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseEther } from 'ethers';
import type { BrowserContext, Page } from 'playwright-core';
import { RECIPIENT } from '../../demo/page/scenarios/evm-names.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { pressPasskey, VirtualAuthenticator } from './authenticator.ts';
import { poll } from '../waiting.ts';
import { axe, PIN, type WalletView } from './harness.ts';
import { variant } from './parts.ts';
import { Customer, firstAtService, openServiceWorld, type ServiceWorld } from './service-setup.ts';

const APPROVED = '**/api/transactions/approved';
let world: ServiceWorld;
/** A browser profile, with every URL that its pages request. */
let context: BrowserContext;
let ada: Customer;
let page: Page;
const asked: string[] = [];
let code = '';
let wallet: Wallet;

async function transfer(customer: Customer, requestId: string): Promise<WalletView> {
  const request = { walletId: wallet.id, secretType: 'ETHEREUM', to: RECIPIENT, value: '0.25' };
  await customer.call('transfer', request, { requestId });
  return customer.dialog;
}

const sent = (): Promise<number> => world.chain.getTransactionCount(wallet.address);

before(async () => {
  world = await openServiceWorld();
  context = await world.profile();
  context.on('request', (request) => asked.push(request.url()));
  ada = await Customer.signIn(world, { context });
  page = ada.page;
});
after(() => world.close());

test('a wallet is created at the service, its recovery code shown once and checked', async () => {
  await ada.call('manageWallets', { chain: 'ETHEREUM' });
  const view = ada.dialog;
  await firstAtService(view);
  await view.button('Show code').click();
  const groups = await view.root
    .getByRole('list', { name: 'Recovery code' })
    .getByRole('listitem')
    .allInnerTexts();
  code = groups.join('-');
  assert.match(code, /^([0-9A-Z]{4}-){7}[0-9A-Z]{4}$/);
  assert.deepEqual(await view.axe(), []);
  await view.button('I wrote it down').click();
  await view.box('Group 3').fill(groups[2]!.toLowerCase());
  await view.box('Group 7').fill(groups[6]!);
  await view.press('Finish');
  await view.leaveAddress();
  wallet = (await ada.outcome()).value as Wallet;
  assert.equal(wallet.walletType, 'THREEWAY_SHARED');
  await world.demo.local.ETHEREUM!.give('ETH', wallet.address);
});

test('a lost answer is recovered, after a reload, and the coins are sent once', async () => {
  // The service does its work, but its answer never arrives.
  await context.route(APPROVED, async (route) => {
    await route.fetch();
    await route.abort();
  });
  const view = await transfer(ada, 'lost-answer-1');
  await view.approve();
  await view.heading('No answer yet').waitFor();
  assert.deepEqual(await view.axe(), []);
  await page.reload();
  await page.getByText('ada@demo.example', { exact: true }).waitFor();
  await context.unroute(APPROVED);

  await ada.call('pending');
  const [pending] = (await ada.outcome()).value as { requestId: string; state: string }[];
  assert.deepEqual([pending?.requestId, pending?.state], ['lost-answer-1', 'unsent']);
  await ada.call('resume', 'lost-answer-1');
  const again = ada.dialog;
  await again.type('PIN', PIN);
  await again.press('Continue');
  const { value } = await ada.outcome();
  const { transactionHash } = value as { transactionHash: string };
  const receipt = await poll(
    async () => (await world.chain.getTransactionReceipt(transactionHash)) ?? undefined,
    'the receipt',
  );
  assert.equal(receipt.status, 1);
  assert.equal(await sent(), 1);
});

variant('another device needs the PIN and the recovery code', async () => {
  const tab = await Customer.signIn(world);
  await tab.link();
  const linking = tab.dialog;
  // It is not known yet whose they are: no address is shown, and no site learns one.
  await linking.heading('These wallets were made elsewhere').waitFor();
  assert.deepEqual(await linking.axe(), []);
  assert.equal(await linking.text('Service wallet').count(), 0);
  await linking.button('Use them here').click();
  await linking.heading('Use your service wallets here').waitFor();
  assert.deepEqual(await linking.axe(), []);
  await linking.box('Recovery code').fill(code.toLowerCase().replaceAll('-', ' '));
  await linking.type('PIN', PIN);
  await linking.button('Continue').click();
  // A link holds on every device: the site is the same.
  await linking.text('Service wallet').first().waitFor();
  await linking.leave('Link wallets');
  assert.equal(((await tab.outcome()).value as Wallet[])[0]!.id, wallet.id);
  const view = await transfer(tab, 'other-device-1');
  await view.pay(18);
  await view.done();
  assert.match(((await tab.outcome()).value as { transactionHash: string }).transactionHash, /^0x/);
  assert.equal(await sent(), 2);
  await tab.close();
});

test('the wallet’s balance and profile are read, and what the page keeps holds no token', async () => {
  await ada.call('balance', wallet.id);
  const { rawBalance } = (await ada.outcome()).value as { rawBalance: string };
  assert.equal(BigInt(rawBalance), await world.chain.getBalance(wallet.address));
  assert.ok(BigInt(rawBalance) < parseEther('10'));
  await ada.call('profile');
  assert.equal(((await ada.outcome()).value as { hasMasterPin: boolean }).hasMasterPin, true);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.doesNotMatch(kept + asked.join('\n'), /eyJ|recoveryCode|739154/);
});

variant('the other device is removed in Settings, and can do nothing any more', async () => {
  await ada.call('linkWallets', {});
  const view = ada.dialog;
  await view.button('Settings').click();
  await view.button('Show devices').click();
  await view.text('This browser').waitFor();
  assert.deepEqual(await view.axe(), []);
  await view.button('Remove device 2').click();
  await view.heading('Remove this device?').waitFor();
  assert.deepEqual(await view.axe(), []);
  await view.button('Remove').click();
  await view.text('Device 2').waitFor({ state: 'detached' });
  const { devices } = world.demo.service!.running.service;
  const { userId } = await ada.read<{ userId: string }>('profile');
  assert.equal((await devices.list(userId, {})).rows.length, 1);
  await view.button('Back').click();
  await view.button('Back').click();
  await view.leave('Reject');
});

variant(
  'a passkey of the account approves in the place of the PIN, until the recovery code removes it',
  async () => {
    const authenticator = await VirtualAuthenticator.add(page);
    const openSettings = async (): Promise<WalletView> => {
      await ada.call('linkWallets', {});
      await ada.dialog.button('Settings').click();
      return ada.dialog;
    };
    const settings = await openSettings();
    const passkey = settings.root.getByRole('switch', { name: 'Service passkey' });
    await passkey.click();
    await settings.type('PIN', PIN);
    await settings.button('Continue').click();
    await settings.text('Passkey added').waitFor();
    assert.deepEqual(await settings.axe(), []);
    assert.equal(await authenticator.passkeys(), 1);
    await settings.button('Back').click();
    await settings.leave('Reject');
    await ada.passMinute();

    const paying = await transfer(ada, 'passkey-1');
    await pressPasskey(paying);
    await paying.sent();
    await paying.done();
    assert.equal(await sent(), 3);

    const again = await openSettings();
    await passkey.click();
    await again.heading('Use your passkey').waitFor();
    await again.button('Use recovery code').click();
    await again.heading('Remove the lost passkey').waitFor();
    assert.deepEqual(await again.axe(), []);
    await again.box('Recovery code').fill(code);
    await again.press('Remove passkey');
    await again.heading('Settings').waitFor();
    await poll(async () => !(await passkey.isChecked()), 'the passkey switched off');
    await again.button('Back').click();
    await again.leave('Reject');
    await authenticator.remove();
  },
);

variant('the wallet gets its own PIN, and only that pays from then on', async () => {
  const own = '846207';
  await ada.call('manageWallets', { chain: 'ETHEREUM' });
  const view = ada.dialog;
  await view.button(`More for ${wallet.alias}`).click();
  await view.root.getByRole('menuitem', { name: 'Own PIN' }).click();
  await view.heading(`Give “${wallet.alias}” its own PIN?`).waitFor();
  assert.deepEqual(await view.axe(), []);
  await view.button('Continue').click();
  await view.type('PIN', PIN);
  await view.button('Continue').click();
  await view.heading('Choose a PIN').waitFor();
  await view.type('PIN', own);
  await view.button('Continue').click();
  await view.type('Confirm PIN', own);
  await view.button('Continue').click();
  await view.heading('Your recovery code').waitFor();
  await view.button('Continue without it').click();
  await view.text('Service wallet, own PIN').waitFor();
  await view.consent(`Use on this site: ${wallet.alias}`);
  assert.equal(((await ada.outcome()).value as Wallet).hasCustomPin, true);
  const paying = await transfer(ada, 'own-pin-1');
  await paying.approve();
  await paying.text('Wrong PIN. 4 attempts left.').first().waitFor();
  await paying.approve(own);
  await paying.sent();
  await paying.done();
  assert.equal(await sent(), 4);
});

variant('the page gives up the wallet, and the service learns of it', async () => {
  await ada.call('unlink', wallet.id);
  await ada.outcome();
  await ada.call('wallets');
  assert.deepEqual((await ada.outcome()).value, []);
  await ada.link();
  const view = ada.dialog;
  const box = view.root.getByRole('checkbox', { name: /Service wallet, own PIN$/ });
  await box.check();
  await view.leave('Link wallets');
  assert.equal(((await ada.outcome()).value as Wallet[])[0]!.id, wallet.id);
});

variant('a request that names its own node is refused before anything is shown of it', async () => {
  const [nodeUrl] = world.demo.local.ETHEREUM!.network.nodes;
  const request = { type: 'ETH_TRANSACTION', walletId: wallet.id, to: RECIPIENT, value: '1' };
  const network = { name: 'Mine', nodeUrl, chainId: 1337 };
  for (const [method, given, path] of [
    ['execute', { ...request, network }, 'network'],
    ['executeAll', [request, { ...request, network }], 'requests.1.network'],
  ] as const) {
    await ada.call(method, given);
    const { code, details } = await ada.outcome();
    const [issue] = details!['issues'] as { path: string; message: string }[];
    assert.deepEqual([code, issue!.path], ['request.invalid', path]);
    assert.equal(issue!.message, 'is only supported for wallets of the browser; leave it out');
  }
});

variant('while the service is down, browser wallets go on and one line says so', async () => {
  await context.route('**/api/wallets', (route) => route.abort());
  await ada.call('manageWallets', { chain: 'ETHEREUM' });
  const view = ada.dialog;
  // This browser has no wallet.
  await view.button('Create wallet').waitFor();
  await view.press('Create wallet');
  await view.type('PIN', '846207');
  await view.button('Continue').click();
  await view.type('Confirm PIN', '846207');
  await view.button('Continue').click();
  await view.press('Remind me later');
  await view.leaveAddress();
  assert.equal(((await ada.outcome()).value as Wallet).walletType, 'BROWSER');
  await ada.call('manageWallets', { chain: 'ETHEREUM' });
  await view.text('The wallet service does not answer.').waitFor();
  assert.deepEqual(await view.axe(), []);
  await context.unroute('**/api/wallets');
  await view.button('Try again').click();
  await view.text('Service wallet').first().waitFor();
  await view.consent(/^Use on this site: Ethereum service wallet/);
  assert.equal(((await ada.outcome()).value as Wallet).id, wallet.id);
});

test('a page that gives no token loads none of its code', async () => {
  const stranger = await world.profile();
  const loaded: string[] = [];
  stranger.on('request', (request) => loaded.push(request.url()));
  const tab = await Customer.visit(world, { context: stranger });
  await tab.link();
  await tab.dialog.close();
  await tab.outcome();
  assert.ok(loaded.some((url) => url.startsWith(`${world.demo.frame}/frame/`)));
  assert.deepEqual(
    loaded.filter((url) => url.startsWith(world.demo.service!.url) || /\/service[\w-]*\.js/.test(url)),
    [],
  );
  await tab.close();
});

variant('axe finds nothing on the page', async () => {
  assert.deepEqual(await axe(page), []);
});
