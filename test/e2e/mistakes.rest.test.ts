/** Mistakes that a browser's own rules make something of: what the developer of the page then sees, and its user. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { poll } from '../waiting.ts';
import { newProfile, openWorld, type World } from './harness.ts';

const docs = (page: string): string => readFileSync(resolve(import.meta.dirname, '../../docs', page), 'utf8');
/** The first lines that a page's author copies. */
const SNIPPET = /^## With a script tag\n\n```html\n([^]*?)^```$/m.exec(docs('embedding.md'))![1]!;

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

/** All that the console shows of a page. */
function listen(page: Page): { warnings: string[]; all: string[] } {
  const heard = { warnings: [] as string[], all: [] as string[] };
  page.on('console', (message) => {
    heard.all.push(message.text());
    if (message.type() === 'warning') heard.warnings.push(message.text());
  });
  page.on('pageerror', (error) => heard.all.push(error.message));
  return heard;
}

const NOT_SET_UP = /^The wallet could not open\s*This site is not set up for the wallet\./;

test('a page without an origin: its element says so when it is pressed, and the console why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-file-'));
  const context = await newProfile(world.browser);
  const html = `<!doctype html><html lang="en"><title>Shop</title>${SNIPPET.replaceAll('https://connect.example', world.frame)}`;
  const file = join(folder, 'shop.html');
  writeFileSync(file, html);
  try {
    for (const at of [pathToFileURL(file).href, `${world.hosts.crossSite}/sandboxed`]) {
      const page = await context.newPage();
      const { warnings } = listen(page);
      await page.goto(at);
      await page.getByRole('button', { name: 'Connect wallet' }).click();
      const alert = page.locator('link-wallets').getByRole('alert');
      await alert.waitFor();
      assert.match(await alert.innerText(), NOT_SET_UP, at);
      const ours = (): string[] => warnings.filter((text) => text.startsWith('Carabiner: '));
      await poll(() => ours().length > 0, 'the warning');
      assert.deepEqual(
        ours().map((text) => text.slice(0, 38)),
        ['Carabiner: This page has no origin, so'],
        at,
      );
      await page.close();
    }
  } finally {
    await context.close();
    rmSync(folder, { recursive: true });
  }
});

test('a page with the same script from two origins: one warning, and one copy that works', async () => {
  const context = await newProfile(world.browser);
  const page = await context.newPage();
  const { warnings, all } = listen(page);
  await page.route('https://second.example/**', async (route) => {
    const url = new URL(new URL(route.request().url()).pathname, world.frame).href;
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(world.hosts.crossSite);
  await page.evaluate(() => import('https://second.example/connect.js' as string));
  await poll(() => warnings.length > 0, 'the warning');
  const manage = page.getByRole('button', { name: 'Manage wallets' });
  await Promise.all([page.waitForEvent('popup'), manage.click()]);
  assert.deepEqual(
    all.map((text) => text.replace(/ \S+$/, '')),
    ['Carabiner: it is on this page twice. The first copy stays.'],
  );
  await context.close();
});

test('an isolated page that is not listed: frame.blocked with the reason coop', async () => {
  const visitor = await world.visit('popup', '/isolated');
  const { warnings } = listen(visitor.page);
  await visitor.linking(() => visitor.button('Connect wallet').click());
  const alert = visitor.page.locator('link-wallets').getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), NOT_SET_UP);
  await poll(() => warnings.length > 0, 'the warning');
  assert.equal(warnings.length, 1, warnings.join('\n'));
  assert.match(
    warnings[0]!,
    /^Carabiner: This page’s Cross-Origin-Opener-Policy cuts off the wallet’s window/,
  );
  const ends = (await visitor.events()).filter(({ type }) => /^(result|cancel|error)$/.test(type));
  assert.deepEqual(
    ends.map(({ code }) => code),
    ['frame.blocked'],
  );
  await visitor.close();
});

test('a script that cannot run: the browser says what the docs quote, and what is in the tag shows', async () => {
  const context = await newProfile(world.browser);
  const SHOP = 'https://shop.example/';
  const script = 'https://connect.example/connect.js';
  const rows = docs('troubleshooting.md').split('## The script does not run')[1]!.split('\n');
  const quoted = rows.filter((row) => row.includes('`')).map((row) => row.split(' | ')[1] ?? '');
  const cases: {
    mistake: string;
    html?: string;
    headers?: Record<string, string>;
    abort?: string;
    body?: string;
  }[] = [
    { mistake: '`type="module"` is missing', html: SNIPPET.replace('type="module"', '') },
    { mistake: 'your policy', headers: { 'Content-Security-Policy': "script-src 'self' 'unsafe-inline'" } },
    { mistake: 'its server is down', abort: 'connectionrefused' },
    { mistake: 'its server is down', abort: 'namenotresolved' },
    { mistake: 'an ad blocker', abort: 'blockedbyclient' },
    { mistake: 'the URL leads to', body: '<!doctype html>' },
  ];
  const connect = readFileSync(resolve(import.meta.dirname, '../../dist/connect.js'), 'utf8');
  for (const { mistake, html = SNIPPET, headers, abort, body } of cases) {
    const page = await context.newPage();
    const heard = listen(page);
    await page.route(SHOP, (route) =>
      route.fulfill({ contentType: 'text/html', body: html, headers: headers ?? {} }),
    );
    await page.route(script, (route) =>
      abort
        ? route.abort(abort)
        : route.fulfill({
            contentType: body ? 'text/html' : 'text/javascript',
            headers: { 'Access-Control-Allow-Origin': '*' },
            body: body ?? connect,
          }),
    );
    await page.goto(SHOP);
    const cell = rows.find((row) => row.includes(mistake))!.split(' | ')[1]!;
    assert.ok(quoted.includes(cell));
    const texts = [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
    const says = (text: string): boolean => heard.all.some((message) => message.includes(text));
    await poll(() => texts.some(says), `what the docs quote of ${mistake}`);
    if (html.includes('module')) await poll(() => says('No wallet: '), `what the tag says of ${mistake}`);
    else assert.equal(says('No wallet: '), false, mistake);
    assert.ok(await page.getByRole('link', { name: 'Pay another way' }).isVisible(), mistake);
    await page.close();
  }
  await context.close();
});
