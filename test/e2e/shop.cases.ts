/** The demo's shop: one order, as merchant and customer see it. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Demo, startDemo } from '../../demo/start.ts';
import { dataIn, temporaryFolder } from '../service/harness.ts';
import { poll } from '../waiting.ts';
import { axe, knowsPlace, launch, newProfile, WalletView } from './harness.ts';
import { sharedAnvil } from './places.ts';
import { core, rest } from './parts.ts';

const folder = temporaryFolder();
let demo: Demo;
let browser: Browser;
let page: Page;

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Of a page of the shop that keeps from its customers what only engineers read. */
async function unfold(): Promise<void> {
  const fold = page.getByText('What the shop’s server saw');
  if ((await fold.count()) > 0) await fold.click();
}

/** Waits until the page would show `text` after a refresh, and refreshes it. */
async function appears(text: RegExp): Promise<void> {
  await poll(async () => text.test(await (await page.request.get(page.url())).text()), String(text));
  await page.reload();
  await unfold();
  await page.getByText(text).first().waitFor();
}

before(async () => {
  demo = await startDemo({
    chains: ['ETHEREUM'],
    anvil: await sharedAnvil(),
    service: { DATA_DIR: dataIn(folder) },
    logTo: { write: () => {} },
  });
  browser = await launch();
  page = await (await newProfile(browser, { viewport: { width: 360, height: 780 } })).newPage();
});

after(async () => {
  await browser?.close();
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

core(
  'an order is paid on the branded page, and the shop trusts only what it reads and what its webhook delivers',
  async () => {
    await page.goto(`${demo.demo}/shop`);
    assert.deepEqual(await axe(page), []);
    await page.getByLabel('Enamel mug').fill('2');
    await button('Check out').click();
    await page.getByRole('heading', { name: 'Pay with card' }).waitFor();
    assert.equal(new URL(page.url()).origin, demo.service!.url);
    // A map, a walk and two mugs.
    await button('Pay $56.00').waitFor();
    const icon = page.locator('img.co-icon');
    await poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth > 0), 'the icon');
    const color = await button('Pay $56.00').evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.equal(color, 'rgb(30, 77, 58)');
    assert.deepEqual(await axe(page), []);

    await page.getByLabel('E-mail').fill('mira@mail.example');
    await page.getByText('Test cards', { exact: true }).first().click();
    await button('Use card 4242 4242 4242 4242').click();
    await page.getByLabel('Name on card').fill('Mira Holm');
    await button('Pay $56.00').click();
    await page.getByRole('link', { name: 'Back to Fernhill Outfitters' }).click();
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
    await page.getByText('We have your order, Mira Holm.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Enamel mug × 2' }).getByText('$25.00').waitFor();
    await page.getByText('$56.00').waitFor();
    await page.getByRole('link', { name: 'View the receipt' }).waitFor();
    const seen = await page
      .locator('main img')
      .evaluateAll((all: HTMLImageElement[]) => all.map((each) => each.naturalWidth));
    assert.ok(seen.length === 3 && seen.every((width) => width > 0), String(seen));
    await unfold();
    await page.getByText('5600 usd').waitFor();
    await appears(/payment\.succeeded/);
    assert.deepEqual(await axe(page), []);
  },
);

core('an order is paid with a wallet of the demo, and the shop shows how', async () => {
  await page.goto(`${demo.demo}/shop`);
  await button('Check out').click();
  await page.getByRole('radio', { name: 'Wallet' }).check();
  await knowsPlace(page);
  await button('Connect wallet').click();
  await button('Create a wallet').click();
  const wallet = () => new WalletView(page.locator('dialog[open] iframe').contentFrame(), page);
  await wallet().firstLink();
  const pay = button(/^Pay [\d.]+ ETH$/);
  await pay.waitFor();
  const address = await page.locator('.between .addr').getAttribute('title');
  const given = await fetch(`${demo.demo}/faucet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secretType: 'ETHEREUM', address }),
  });
  assert.equal(given.status, 200);
  const amount = /[\d.]+ ETH/.exec(await pay.innerText())![0];
  await pay.click();
  await wallet().approve();
  await wallet().sent();
  await wallet().done();
  await page.getByRole('link', { name: 'Back to Fernhill Outfitters' }).click();
  await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
  await unfold();
  await page.getByText('3100 usd').waitFor();
  await page.getByRole('heading', { name: 'What a wallet sent' }).waitFor();
  await page.getByText(amount, { exact: true }).waitFor();
  await page.getByText(address!, { exact: true }).waitFor();
  await appears(/payment\.succeeded/);
  assert.deepEqual(await axe(page), []);
  await page.goto(`${demo.demo}/shop/payments`);
  await page.getByRole('row', { name: new RegExp(`paid .*${amount}`) }).waitFor();
  assert.deepEqual(await axe(page), []);
});

rest('a receiver that was down gets the event later, and again on the merchant’s request', async () => {
  await page.goto(`${demo.demo}/shop/payments`);
  await button('Switch the receiver off').click();
  await page.goto(`${demo.demo}/shop`);
  await button('Check out').click();
  await button('Back to Fernhill Outfitters').click();
  await page.getByText('You went back. Nothing was charged.').waitFor();
  await page.goto(`${demo.demo}/shop/payments`);
  await appears(/1, last: 500/);
  await button('Switch the receiver on').click();
  await page.getByRole('row', { name: /payment\.cancelled .* waiting/ }).waitFor();
  await page
    .getByRole('row', { name: /payment\.cancelled .* waiting/ })
    .getByRole('button', { name: 'Redeliver' })
    .click();
  await page.getByText('It is on its way again.').waitFor();
  await appears(/2, last: 204/);
  await page.getByRole('cell', { name: 'cancelled', exact: true }).waitFor();
  assert.deepEqual(await axe(page), []);
  await button('Open the dashboard').click();
  await page.getByText('Test payments: no money moves.').waitFor();
});
