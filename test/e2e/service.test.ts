/** The demo with the wallet service: somebody signs in and pays with a wallet that the service holds, and the shop pays with its own. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { JsonRpcProvider } from 'ethers';
import type { Browser, Page } from 'playwright-core';
import { RECIPIENT } from '../../demo/page/scenarios/evm-names.ts';
import { type Demo, startDemo } from '../../demo/start.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { Connect } from '../../src/actions/types.ts';
import { temporaryFolder } from '../service/harness.ts';
import { axe, evaluateIn, launch, PIN, poll, WalletView, within } from './harness.ts';

const ETHER = 10n ** 18n;
const folder = temporaryFolder();
let demo: Demo;
let browser: Browser;
let chain: JsonRpcProvider;
let ada: Page;
before(async () => {
  const service = { DATA_DIR: join(folder, 'data') };
  demo = await within(startDemo({ chains: ['ETHEREUM'], service }), 'the demo', 60);
  chain = new JsonRpcProvider(demo.local.ETHEREUM!.network.nodes[0], undefined, { cacheTimeout: -1 });
  browser = await launch();
});
after(async () => {
  chain?.destroy();
  await within(browser.close(), 'the end of the browser');
  await within(demo.close(), 'the end of the demo');
  rmSync(folder, { recursive: true, force: true });
});

const log = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: 'Event log' }).getByText(text).last();
const button = (inside: Pick<Page, 'getByRole'>, name: string | RegExp) =>
  inside.getByRole('button', { name, exact: true });
const wallet = (page: Page): WalletView =>
  new WalletView(page.locator('dialog[open] iframe').contentFrame(), page);

/** A browser of their own, signed in, at a scenario. */
async function signIn(name: string, scenario: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.setDefaultTimeout(15_000);
  await page.goto(`${demo.demo}/#/ethereum/${scenario}`);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Example sign-in' }).waitFor();
  assert.deepEqual(await axe(page), []);
  await page.getByRole('link', { name: new RegExp(`^Continue as ${name}`) }).click();
  await page.getByText(`${name.toLowerCase()}@demo.example`, { exact: true }).waitFor();
  await log(page, 'ready').waitFor();
  return page;
}

/** The first wallet of the person at the service, linked to the page. */
async function makeServiceWallet(page: Page): Promise<Wallet> {
  await button(page.getByRole('main'), 'Manage wallets').click();
  const view = wallet(page);
  await view.button('Create wallet').click();
  await view.root.getByRole('button', { name: /^At the wallet service/ }).click();
  await view.type('PIN', PIN);
  await view.button('Continue').click();
  await view.type('Confirm PIN', PIN);
  await view.button('Continue').click();
  await view.heading('Your recovery code').waitFor();
  await view.press('Remind me later');
  await view.leaveAddress();
  await log(page, 'connect-result').waitFor();
  const [made] = await evaluateIn(page)(async (script) => {
    const { connect } = (await import(script)) as { connect: Connect };
    return connect.wallets();
  }, `${demo.frame}/connect.js`);
  assert.equal(made!.walletType, 'THREEWAY_SHARED');
  return made!;
}

/** Opens a scenario whose transfer goes straight to approval. */
async function ask(page: Page, scenario: string): Promise<WalletView> {
  await page.getByRole('link', { name: scenario, exact: true }).first().click();
  await button(page.getByRole('main'), 'Send').click();
  return wallet(page);
}

const balance = (address: string): Promise<bigint> => chain.getBalance(address);

let adas: Wallet;
test('somebody signs in, makes a wallet at the service and sends from it', async () => {
  ada = await signIn('Ada', 'service-wallet');
  adas = await makeServiceWallet(ada);
  await button(ada, 'Get test ether').click();
  await log(ada, 'faucet').waitFor();
  const received = await balance(RECIPIENT);
  const view = await ask(ada, 'Simple transfer');
  const fee = await view.pay(18);
  await view.leave('Done');
  await log(ada, /transactionHash/).waitFor();
  assert.equal((await balance(RECIPIENT)) - received, ETHER / 4n);
  assert.equal(await balance(adas.address), 10n * ETHER - ETHER / 4n - fee);
});

test('a wrong PIN is counted by the service', async () => {
  const view = await ask(ada, 'Simple transfer');
  await view.approve('840265');
  await view.text('Wrong PIN. 4 attempts left.').first().waitFor();
  await view.leave('Reject');
});

test('an e-mail address stands for the wallet of its owner, shown in full', async () => {
  const ben = await signIn('Ben', 'service-wallet');
  const { address } = await makeServiceWallet(ben);
  await within(ben.close(), 'the end of a tab');
  const view = await ask(ada, 'E-mail recipient');
  await view.heading('Approve transaction').waitFor();
  await view.root.getByLabel(address).first().waitFor();
  await view.pay(18);
  await view.leave('Done');
  assert.equal(await balance(address), ETHER / 4n);
});

test('the page’s own token and the PIN are not enough to spend', async () => {
  const token = await evaluateIn(ada)(async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch('/session/token', { method: 'POST', headers, body: '{}' });
    return ((await answer.json()) as { accessToken: string }).accessToken;
  });
  const response = await fetch(`${demo.service!.url}/api/transactions/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      type: 'ETH_TRANSACTION',
      walletId: adas.id,
      pincode: PIN,
      to: RECIPIENT,
      value: '1',
    }),
  });
  assert.equal(response.status, 401);
  assert.equal(((await response.json()) as { code: string }).code, 'device.proof.invalid');
});

test('the shop makes a white-label wallet, takes coins, builds and sends', async () => {
  await ada.getByRole('link', { name: 'White-label wallet' }).click();
  const panel = ada.getByRole('region', { name: 'White-label wallet' });
  await button(panel, 'Create wallet').click();
  await panel.getByText('Recovery code').waitFor();
  const address = await panel.getByText(/^0x[0-9a-fA-F]{40}$/).innerText();
  await button(ada, 'Get test ether').click();
  await panel.getByText('10 ETH').waitFor();
  await button(panel, 'Build').click();
  await panel.getByRole('status').getByText('"value": "250000000000000000"').waitFor();
  const received = await balance(RECIPIENT);
  await button(panel, 'Execute').click();
  const sent = panel.getByRole('status').getByText(/"transactionHash"/);
  const [hash] = /0x[0-9a-f]{64}/.exec(await sent.innerText())!;
  const receipt = await poll(
    async () => (await chain.getTransactionReceipt(hash)) ?? undefined,
    'the receipt',
  );
  assert.equal((await balance(RECIPIENT)) - received, ETHER / 4n);
  assert.equal(await balance(address), 10n * ETHER - ETHER / 4n - receipt.fee);
});

test('the shop’s wrong PIN is refused, and its signature is made', async () => {
  await ada.getByRole('link', { name: 'Shop, wrong PIN' }).click();
  await button(ada, 'Run again').click();
  await log(ada, /executeTransaction pincode\.wrong/).waitFor();
  await ada.getByRole('link', { name: 'Shop signs' }).click();
  await button(ada, 'Run again').click();
  await log(ada, /createSignature .*signature: "0x[0-9a-f]{130}"/).waitFor();
});

test('no PIN, code or token is in the log, and axe finds nothing', async () => {
  const text = await ada.getByRole('log', { name: 'Event log' }).innerText();
  assert.doesNotMatch(text, /recoveryCode|eyJ|739154/);
  assert.deepEqual(await axe(ada), []);
  await button(ada, 'Sign out').click();
  await ada.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
});
