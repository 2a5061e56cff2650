/**
 * From a new browser that has the passkey to the first payment that it has signed, on the demo's start page, with the demo's wallet service: what
 * the machine takes, without the time in which a person reads. The passkey answers at once.
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { startDemo } from '../demo/start.ts';
import { findBrowser, FLAGS } from '../scripts/browser.ts';
import { table } from '../scripts/sizes.ts';
import { SyncedPasskeys } from '../test/e2e/synced-passkeys.ts';
import { median } from './median.ts';

const RUNS = 5;

const inWallet = (page: Page) => page.locator('dialog[open] iframe').contentFrame();
const part = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true });
const manage = (page: Page): Promise<void> =>
  part(page, 'Show wallets and balances').getByRole('button', { name: 'Manage wallets' }).click();

async function newBrowser(browser: Browser, passkeys: SyncedPasskeys): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(30_000);
  // The helper of tsx, which a page does not have.
  await context.addInitScript('globalThis.__name = (value) => value');
  await passkeys.plug(context);
  return context;
}

/** A wallet with coins, whose copy is kept. */
async function keepCopy(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('article').getByText('No Ethereum wallet yet').waitFor();
  await manage(page);
  const wallet = inWallet(page);
  for (const name of ['Create wallet', 'Continue with passkey', 'Keep an encrypted copy'])
    await wallet.getByRole('button', { name }).click();
  await wallet.getByRole('heading', { name: /^(Receive |Back up before you receive)/ }).waitFor();
  const later = wallet.getByRole('button', { name: 'Remind me later' });
  if (await later.count()) await later.click();
  await wallet.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await part(page, 'Show wallets and balances').getByText('10 ETH').waitFor();
}

/** Milliseconds since the page was opened: the wallets are shown, are the browser's, and have paid. */
async function restore(
  context: BrowserContext,
  url: string,
): Promise<[shown: number, here: number, paid: number]> {
  const page = await context.newPage();
  const begun = performance.now();
  const since = (): number => performance.now() - begun;
  await page.goto(url);
  await page.getByRole('article').getByText('No Ethereum wallet yet').waitFor();
  await manage(page);
  const wallet = inWallet(page);
  const [own] = await Promise.all([
    context.waitForEvent('page'),
    wallet.getByRole('link', { name: 'Use my passkey' }).click(),
  ]);
  await own.getByRole('heading', { name: 'Are these your wallets?' }).waitFor();
  const shown = since();
  await own.getByRole('button', { name: 'Continue with passkey' }).click();
  await page.bringToFront();
  await enabled(wallet.getByRole('button', { name: /^Use / })).click();
  const here = since();
  await page.evaluate(() => {
    addEventListener('connect-result', () => ((window as { hashAt?: number }).hashAt = performance.now()), {
      once: true,
    });
  });
  await part(page, 'Take a payment').getByRole('button', { name: 'Send' }).click();
  await enabled(wallet.getByRole('button', { name: 'Approve with passkey' })).click();
  await page.waitForFunction(() => 'hashAt' in window);
  return [shown, here, since()];
}

const enabled = (button: ReturnType<Page['locator']>): ReturnType<Page['locator']> =>
  button.and(button.page().locator(':not([aria-disabled])')).first();

export async function restoring(): Promise<string> {
  const demo = await startDemo({ chains: ['ETHEREUM'], service: process.env, logTo: { write() {} } });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: [...FLAGS] });
  try {
    const passkeys = new SyncedPasskeys();
    const first = await newBrowser(browser, passkeys);
    await keepCopy(first, demo.demo);
    await first.close();
    const times: number[][] = [];
    for (let run = 0; run < RUNS; run++) {
      const context = await newBrowser(browser, passkeys);
      times.push(await restore(context, demo.demo));
      await context.close();
    }
    const medians = [0, 1, 2].map((at) => (median(times.map((each) => each[at]!)) / 1000).toFixed(1));
    return table(
      ['seconds in a new browser with the passkey', 'wallets shown', 'linked', 'paid (≤ 20)'],
      [[`median of ${RUNS}, 4 clicks in the wallet`, ...medians]],
    );
  } finally {
    await browser.close();
    await demo.close();
  }
}
