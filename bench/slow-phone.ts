/**
 * A transfer from the demo's start page on a slow phone: the processor six times slower, 1.6 Mbit/s and 150 ms a round trip, which is
 * Lighthouse's "Slow 4G" (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md). The worker that hashes the PIN is not
 * slowed down: Chromium throttles main threads only.
 */
import { chromium, type Page } from 'playwright-core';
import { startDemo } from '../demo/start.ts';
import { findBrowser, FLAGS } from '../scripts/browser.ts';
import { table } from '../scripts/sizes.ts';

const PIN = '493817';
const SLOWER = 6;
const KILOBIT = 1024 / 8;
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1638.4 * KILOBIT,
  uploadThroughput: 675 * KILOBIT,
};

/** In the page's process the frame is throttled with it; in a separate process it would be a separate target. */
const ONE_PROCESS = '--disable-features=IsolateOrigins,site-per-process';

const inWallet = (page: Page) => page.locator('dialog[open] iframe').contentFrame();
const part = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true });

/** A wallet with a PIN and coins, linked to the page. */
async function fillWallet(page: Page): Promise<void> {
  await page.getByRole('article').getByText('No Ethereum wallet yet').waitFor();
  await part(page, 'Show wallets and balances').getByRole('button', { name: 'Manage wallets' }).click();
  const wallet = inWallet(page);
  await wallet.getByRole('button', { name: 'Create wallet' }).click();
  for (const field of ['PIN', 'Confirm PIN']) {
    await wallet.getByRole('textbox', { name: field, exact: true }).pressSequentially(PIN);
    await wallet.getByRole('button', { name: 'Continue' }).click();
  }
  await wallet.getByRole('button', { name: 'Remind me later' }).click();
  await wallet
    .getByRole('button', { name: /^(Done|Remind me later)$/ })
    .last()
    .click();
  const done = wallet.getByRole('heading', { name: /^Receive / });
  if (await done.count()) await wallet.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await part(page, 'Show wallets and balances').getByText('10 ETH').waitFor();
}

/** Milliseconds from the click to the PIN field, and from Approve until the page has the hash, and until it sees the transaction mined. */
async function send(page: Page): Promise<[pad: number, sent: number, mined: number]> {
  await page
    .getByRole('article')
    .getByText('10 ETH')
    .or(page.getByText(/^9\.\d+ ETH$/))
    .first()
    .waitFor();
  await page.evaluate(() => {
    addEventListener('connect-result', () => ((window as { hashAt?: number }).hashAt = performance.now()), {
      once: true,
    });
  });
  const wallet = inWallet(page);
  const clicked = performance.now();
  await part(page, 'Take a payment').getByRole('button', { name: 'Send' }).click();
  await wallet.getByRole('textbox', { name: 'PIN', exact: true }).waitFor();
  const pad = performance.now() - clicked;
  const approve = wallet.getByRole('button', { name: 'Approve', exact: true });
  await wallet.getByRole('textbox', { name: 'PIN', exact: true }).pressSequentially(PIN);
  await approve.and(wallet.locator(':not([aria-disabled])')).waitFor();
  const approved = performance.now();
  await approve.click();
  await page.waitForFunction(() => 'hashAt' in window);
  const sent = performance.now() - approved;
  await wallet.getByRole('heading', { name: 'Sent', exact: true }).waitFor();
  const mined = performance.now() - approved;
  await wallet.getByRole('button', { name: 'Done' }).click();
  return [pad, sent, mined];
}

export async function slowPhone(): Promise<string> {
  const demo = await startDemo({ chains: ['ETHEREUM'] });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: [...FLAGS, ONE_PROCESS] });
  try {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-US' });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    await page.goto(demo.demo);
    await fillWallet(page);
    const chrome = await context.newCDPSession(page);
    await chrome.send('Network.enable');
    await chrome.send('Network.clearBrowserCache');
    await chrome.send('Network.emulateNetworkConditions', SLOW_4G);
    await chrome.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const rows: string[][] = [];
    for (const name of ['nothing cached', 'a later visit']) {
      await page.reload();
      const times = await send(page);
      rows.push([name, ...times.map((time) => (time / 1000).toFixed(1))]);
    }
    return table(
      ['seconds on a slow phone', 'click to PIN (≤ 2.5)', 'Approve to sent (≤ 4)', 'Approve to mined'],
      rows,
    );
  } finally {
    await browser.close();
    await demo.close();
  }
}
