/** Service wallets when something goes wrong: answers that get lost, pages that go away, another device, a service that is down. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { JsonRpcProvider, parseEther } from 'ethers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { RECIPIENT } from '../../demo/page/scenarios/evm-names.ts';
import { type Demo, startDemo } from '../../demo/start.ts';
import type { Connect } from '../../src/actions/types.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { temporaryFolder } from '../service/harness.ts';
import { axe, evaluateIn, launch, PIN, poll, WalletView, within } from './harness.ts';

const APPROVED = '**/api/transactions/approved';
const folder = temporaryFolder();
let demo: Demo;
let browser: Browser;
let chain: JsonRpcProvider;
/** A browser profile, with every address that its pages ask for. */
let context: BrowserContext;
let page: Page;
const asked: string[] = [];
let code = '';
let wallet: Wallet;

const frameOf = (on: Page): WalletView =>
  new WalletView(on.locator('dialog[open] iframe').contentFrame(), on);

async function profile(): Promise<BrowserContext> {
  const made = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  made.setDefaultTimeout(15_000);
  return made;
}

async function signIn(to: BrowserContext): Promise<Page> {
  const opened = await to.newPage();
  await opened.goto(`${demo.demo}/#/ethereum/service-wallet`);
  await opened.getByRole('link', { name: 'Sign in', exact: true }).click();
  await opened.getByRole('link', { name: /^Continue as Ada/ }).click();
  await opened.getByText('ada@demo.example', { exact: true }).waitFor();
  return opened;
}

type Outcome = { value?: unknown; code?: string };

/** Calls the page's connect; the outcome is `outcome()`. */
async function call(on: Page, method: keyof Connect, ...given: unknown[]): Promise<void> {
  await evaluateIn(on)(
    async ([script, name, all]) => {
      const { connect } = (await import(script)) as {
        connect: Record<string, (...all: unknown[]) => Promise<unknown>>;
      };
      const kept = window as unknown as { outcome: Promise<Outcome> };
      kept.outcome = connect[name]!(...all).then(
        (value) => ({ value }),
        (error: { code: string }) => ({ code: error.code }),
      );
    },
    [`${demo.frame}/connect.js`, method as string, given] as const,
  );
}

function outcome(on: Page): Promise<Outcome> {
  return within(
    on.evaluate(() => (window as unknown as { outcome: Promise<Outcome> }).outcome),
    'the end of the request',
    30,
  );
}

async function transfer(on: Page, requestId: string): Promise<WalletView> {
  const request = { walletId: wallet.id, secretType: 'ETHEREUM', to: RECIPIENT, value: '0.25' };
  await call(on, 'transfer', request, { requestId });
  return frameOf(on);
}

const sent = (): Promise<number> => chain.getTransactionCount(wallet.address);

before(async () => {
  const service = { DATA_DIR: join(folder, 'data') };
  demo = await within(startDemo({ chains: ['ETHEREUM'], service }), 'the demo', 60);
  chain = new JsonRpcProvider(demo.local.ETHEREUM!.network.nodes[0], undefined, { cacheTimeout: -1 });
  browser = await launch();
  context = await profile();
  context.on('request', (request) => asked.push(request.url()));
  page = await signIn(context);
});
after(async () => {
  chain?.destroy();
  await within(browser.close(), 'the end of the browser');
  await within(demo.close(), 'the end of the demo');
  rmSync(folder, { recursive: true, force: true });
});

test('a wallet is made at the service, its recovery code shown once and checked', async () => {
  await call(page, 'manageWallets', { chain: 'ETHEREUM' });
  const view = frameOf(page);
  await view.button('Create wallet').click();
  await view.button('At the wallet service').click();
  await view.type('PIN', PIN);
  await view.button('Continue').click();
  await view.type('Confirm PIN', PIN);
  await view.button('Continue').click();
  await view.heading('Your recovery code').waitFor();
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
  wallet = (await outcome(page)).value as Wallet;
  assert.equal(wallet.walletType, 'THREEWAY_SHARED');
  await demo.local.ETHEREUM!.give('ETH', wallet.address);
});

test('an answer that got lost is asked for again, after a reload, and the coins go once', async () => {
  // The service does its work; what it answers never arrives.
  await context.route(APPROVED, async (route) => {
    await route.fetch();
    await route.abort();
  });
  const view = await transfer(page, 'lost-answer-1');
  await view.approve();
  await view.heading('No answer yet').waitFor();
  assert.deepEqual(await view.axe(), []);
  await page.reload();
  await page.getByText('ada@demo.example', { exact: true }).waitFor();
  await context.unroute(APPROVED);

  await call(page, 'pending');
  const [pending] = (await outcome(page)).value as { requestId: string; state: string }[];
  assert.deepEqual([pending?.requestId, pending?.state], ['lost-answer-1', 'unsent']);
  await call(page, 'resume', 'lost-answer-1');
  const again = frameOf(page);
  await again.type('PIN', PIN);
  await again.press('Continue');
  const { value } = await outcome(page);
  const { transactionHash } = value as { transactionHash: string };
  const receipt = await poll(
    async () => (await chain.getTransactionReceipt(transactionHash)) ?? undefined,
    'the receipt',
  );
  assert.equal(receipt.status, 1);
  assert.equal(await sent(), 1);
});

test('another device takes the PIN and the recovery code', async () => {
  const other = await profile();
  const tab = await signIn(other);
  await call(tab, 'linkWallets', {});
  const linking = frameOf(tab);
  // Whose they are is not known here yet: no address is shown, and none is told.
  await linking.heading('These wallets were made elsewhere').waitFor();
  assert.deepEqual(await linking.axe(), []);
  assert.equal(await linking.text('Service wallet').count(), 0);
  await linking.button('Use them here').click();
  await linking.heading('Use your service wallets here').waitFor();
  assert.deepEqual(await linking.axe(), []);
  await linking.box('Recovery code').fill(code.toLowerCase().replaceAll('-', ' '));
  await linking.type('PIN', PIN);
  await linking.button('Continue').click();
  // What was linked is linked on every device: the site is the same.
  await linking.text('Service wallet').first().waitFor();
  await linking.leave('Link wallets');
  assert.equal(((await outcome(tab)).value as Wallet[])[0]!.id, wallet.id);
  const view = await transfer(tab, 'other-device-1');
  await view.pay(18);
  await view.leave('Done');
  assert.match(((await outcome(tab)).value as { transactionHash: string }).transactionHash, /^0x/);
  assert.equal(await sent(), 2);
  await within(other.close(), 'the end of a profile');
});

test('the wallet’s balance and profile are read, and what the page keeps holds no token', async () => {
  await call(page, 'balance', wallet.id);
  const { rawBalance } = (await outcome(page)).value as { rawBalance: string };
  assert.equal(BigInt(rawBalance), await chain.getBalance(wallet.address));
  assert.ok(BigInt(rawBalance) < parseEther('9.5'));
  await call(page, 'profile');
  assert.equal(((await outcome(page)).value as { hasMasterPin: boolean }).hasMasterPin, true);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.doesNotMatch(kept + asked.join('\n'), /eyJ|recoveryCode|739154/);
});

test('the page gives the wallet up, and the service knows', async () => {
  await call(page, 'unlink', wallet.id);
  await outcome(page);
  await call(page, 'wallets');
  assert.deepEqual((await outcome(page)).value, []);
  await call(page, 'linkWallets', {});
  const view = frameOf(page);
  const box = view.root.getByRole('checkbox', { name: /Service wallet$/ });
  assert.equal(await box.isChecked(), false);
  await box.check();
  await view.leave('Link wallets');
  assert.equal(((await outcome(page)).value as Wallet[])[0]!.id, wallet.id);
});

test('while the service is down, browser wallets go on and one line says so', async () => {
  await context.route('**/api/wallets', (route) => route.abort());
  await call(page, 'manageWallets', { chain: 'ETHEREUM' });
  const view = frameOf(page);
  // There is no wallet in this browser.
  await view.button('Create wallet').waitFor();
  await view.press('Create wallet');
  await view.type('PIN', '846207');
  await view.button('Continue').click();
  await view.type('Confirm PIN', '846207');
  await view.button('Continue').click();
  await view.press('Remind me later');
  await view.leaveAddress();
  assert.equal(((await outcome(page)).value as Wallet).walletType, 'BROWSER');
  await call(page, 'manageWallets', { chain: 'ETHEREUM' });
  await view.text('The wallet service does not answer.').waitFor();
  assert.deepEqual(await view.axe(), []);
  await context.unroute('**/api/wallets');
  await view.button('Try again').click();
  await view.text('Service wallet').first().waitFor();
  await view.root.getByRole('button', { name: /^Use Ethereum service wallet/ }).click();
  assert.equal(((await outcome(page)).value as Wallet).id, wallet.id);
});

test('a page that gives no token loads nothing of it', async () => {
  const stranger = await profile();
  const loaded: string[] = [];
  stranger.on('request', (request) => loaded.push(request.url()));
  const tab = await stranger.newPage();
  await tab.goto(demo.demo);
  await call(tab, 'linkWallets', {});
  await frameOf(tab).button('Close').click();
  await outcome(tab);
  assert.ok(loaded.some((url) => url.startsWith(`${demo.frame}/frame/`)));
  assert.deepEqual(
    loaded.filter((url) => url.startsWith(demo.service!.url) || /\/service[\w-]*\.js/.test(url)),
    [],
  );
  await within(stranger.close(), 'the end of a profile');
});

test('axe finds nothing on the page', async () => {
  assert.deepEqual(await axe(page), []);
});
