/**
 * A shop's payment inside other apps: what asks for no key completes there, and what would says in one sentence where to go on. Chromium
 * that calls itself what these apps do, and opens no windows.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Demo, startDemo } from '../../demo/start.ts';
import { dataIn, temporaryFolder } from '../service/harness.ts';
import { AGENTS } from './agents.ts';
import { knowsPlace, launch, newProfile, WalletView } from './harness.ts';
import { sharedAnvil } from './places.ts';

const folder = temporaryFolder();
let demo: Demo;
let browser: Browser;
before(async () => {
  demo = await startDemo({
    chains: ['ETHEREUM'],
    anvil: await sharedAnvil(),
    service: { DATA_DIR: dataIn(folder) },
    logTo: { write: () => {} },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** The payment page of a new order. */
async function checkOut(page: Page): Promise<void> {
  await page.goto(`${demo.demo}/shop`);
  await button(page, 'Check out').click();
  await page.getByRole('heading', { name: 'Pay with card' }).waitFor();
}

async function payByCard(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('mira@mail.example');
  await page.getByText('Test cards', { exact: true }).first().click();
  await button(page, 'Use card 4242 4242 4242 4242').click();
  await page.getByLabel('Name on card').fill('Mira Holm');
  await button(page, /^Pay \$/).click();
  await page.getByRole('link', { name: 'Back to Fernhill Outfitters' }).click();
  await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
}

for (const [name, [app, userAgent]] of Object.entries(AGENTS))
  test(`${name}: an order is paid by card, and one by wallet goes on in a browser`, async () => {
    const context = await newProfile(browser, {
      userAgent,
      hasTouch: true,
      viewport: { width: 360, height: 780 },
    });
    await context.addInitScript(() => {
      window.open = () => null;
    });
    const page = await context.newPage();
    await checkOut(page);
    await page.getByRole('radio', { name: 'Wallet' }).check();
    await knowsPlace(page);
    await button(page, 'Connect wallet').click();
    await button(page, 'Create a wallet').click();
    const wallet = new WalletView(page.locator('dialog[open] iframe').contentFrame(), page);
    await wallet.heading('Open in your browser').waitFor();
    await wallet.press('Close');
    const words = app
      ? `${app} can read everything on this page. Your wallet opens in your browser.`
      : 'The app around this page can read everything on it. Your wallet opens in your browser.';
    await page.getByText(words, { exact: true }).waitFor();

    // The address that it offers to copy is the order's own.
    const elsewhere = await (await newProfile(browser)).newPage();
    await elsewhere.goto(page.url());
    await elsewhere.getByRole('radio', { name: 'Wallet' }).waitFor();
    await elsewhere.context().close();

    // Or else the customer stays, and pays by what the app may read.
    await page.getByRole('radio', { name: 'Card' }).check();
    await payByCard(page);
    assert.equal(context.pages().length, 1);
    await context.close();
  });
