/** A customer of the apps in `demo/frameworks`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { ROOT } from '../../scripts/command.ts';
import { listen } from '../../service/listen.ts';
import { poll } from '../waiting.ts';
import { newProfile, Visitor, type World } from './harness.ts';

export const SHOPS = join(ROOT, 'demo/frameworks');

/**
 * Lit warns that it is the development build, which bundlers use in development; and the wallet's pages deny features that not every
 * browser knows. Astro's router says that the device wants less motion.
 */
const EXPECTED =
  /^Lit is in dev mode|^\[transitions\]: all view transition animations|^Error with Permissions-Policy header/;

class Customer extends Visitor {
  readonly said: string[] = [];

  constructor(
    world: World,
    context: BrowserContext,
    page: Page,
    readonly url: string,
  ) {
    super(world, context, page, 'popup');
    page.on('console', (message) => {
      const text = message.text();
      if (['warning', 'error'].includes(message.type()) && !EXPECTED.test(text))
        this.said.push(`${text} (${message.location().url})`);
    });
  }

  override get origin(): string {
    return this.url;
  }

  override async ready(): Promise<void> {
    await this.button('Sign').waitFor();
    // Rendered by a server, the element has to be hydrated first.
    await this.page.locator('sign-request:not([defer-hydration])').waitFor();
  }

  async goTo(name: string): Promise<void> {
    await this.page.getByRole('navigation').getByText(name, { exact: true }).click();
  }

  /** Waits for exactly these lines in the app's log. */
  async hears(...lines: string[]): Promise<void> {
    const items = this.page.locator('#log li');
    await poll(async () => (await items.count()) >= lines.length, `${lines.at(-1)} in the app`);
    assert.deepEqual(await items.allInnerTexts(), lines);
  }
}

/**
 * Links, sends and signs, even while the route changes, without a warning in the console. `change` edits the app's heading to "Store", as a
 * developer would.
 */
export async function buyAt(world: World, url: string, change?: () => void): Promise<void> {
  const context = await newProfile(world.browser);
  const customer = new Customer(world, context, await context.newPage(), url);
  await customer.open();
  await customer.wealthyWallet();
  // As on a first visit: the user has a wallet that this site does not know.
  await customer.evaluate(() => localStorage.clear());
  await customer.reload();

  const view = await customer.linking(() => customer.button('Connect wallet').click());
  await view.consent('Link wallets');
  await customer.hears('linkWallets');

  const sending = await customer.opening(() => customer.button('Send').click());
  await sending.approve();
  await customer.hears('linkWallets', 'transfer');
  await sending.sent();
  await sending.done();

  // The user changes the route while the wallet is open.
  const signing = await customer.opening(() => customer.button('Sign').click());
  await signing.approval().waitFor();
  await customer.goTo('About');
  await customer.page.getByText('We sell things.').waitFor();
  await signing.approve();
  await customer.hears('linkWallets', 'transfer', 'sign from another page');

  await customer.goTo('Pay');
  change?.();
  if (change) await customer.page.getByRole('heading', { name: 'Store' }).waitFor();
  const again = await customer.opening(() => customer.button('Sign').click());
  await again.approve();
  await customer.hears('linkWallets', 'transfer', 'sign from another page', 'sign');
  assert.deepEqual([...customer.said, ...customer.complaints], []);
  await customer.close();
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

/** The files of `folder` under the policy that `docs/embedding.md` asks for, with `frame` in place of the wallet's origin. */
export async function serveShop(
  folder: string,
  frame: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${frame}`,
    `connect-src 'self' ${frame}`,
    `frame-src ${frame}`,
    'img-src data:',
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
  const { port, close } = await listen(
    (request, response) => {
      const path = new URL(request.url!, 'http://shop').pathname;
      const file = path === '/' ? 'index.html' : path;
      const type = TYPES[extname(file)];
      if (!type) return void response.writeHead(404).end();
      const text = readFileSync(join(folder, file), 'utf8').replaceAll('https://connect.example', frame);
      response
        .writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy })
        .end(text);
    },
    { port: 0, setting: 'tests' },
  );
  return { url: `http://127.0.0.1:${port}`, close };
}
