/** The payment page as customers see it: in a browser, with the service behind it and a shop that receives webhooks. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { readRange } from '../../service/outbound/addresses.ts';
import { startTested, type Tested } from '../service/harness.ts';
import { poll } from '../waiting.ts';
import { axe, CARD_YEAR, launch, newProfile } from './harness.ts';
import { press, tabTo } from './keyboard.ts';
import { variant } from './parts.ts';
import { readAloud } from './screen-reader.ts';
import { MERCHANT, openShopServer, type ShopServer } from './shop-server.ts';

const PHONE = { viewport: { width: 360, height: 780 } };
const PAY = 'Pay $52.36';
const PAID = '4242424242424242';
const DECLINED = '4000000000000002';
const ASKED = '4000002500003155';
/** Mastercard's published example: valid, but not on the list. */
const REAL = '5454545454545454';

let tested: Tested;
let browser: Browser;
let context: BrowserContext;
let shop: ShopServer;
/** Request bodies that left the browser. */
const left: string[] = [];
/** Violations of the page's policy, as the browser reports them. */
const refused: string[] = [];

async function visit(url: string, on = context): Promise<Page> {
  const page = await on.newPage();
  page.on('request', (request) => left.push(request.postData() ?? ''));
  page.on('pageerror', (error) => assert.fail(error));
  page.on('console', (said) => {
    if (/Content Security Policy|Trusted/.test(said.text())) refused.push(said.text());
  });
  await page.goto(url);
  return page;
}

async function fill(page: Page, number: string): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill('mira@mail.example');
  await page.getByLabel('Card number', { exact: true }).fill(number);
  await page.getByLabel('Expiry date', { exact: true }).fill(`12${CARD_YEAR}`);
  await page.getByLabel('Security code', { exact: true }).fill('123');
  await page.getByLabel('Name on card', { exact: true }).fill('Mira Holm');
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function checkAccess(page: Page): Promise<void> {
  assert.deepEqual(await axe(page), []);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, `the page is ${width} px too wide`);
}

/** Waits until the element of this id has the focus. */
async function focuses(page: Page, id: string): Promise<void> {
  await page.waitForFunction((one) => document.activeElement?.id === one, id);
}

async function attemptsOn(id: string): Promise<number> {
  const rows = await tested.service.db
    .selectFrom('checkout_payments')
    .select('id')
    .where('session_id', '=', id)
    .execute();
  return rows.length;
}

before(async () => {
  tested = await startTested({ outboundRanges: [readRange('127.0.0.1/32')] });
  shop = await openShopServer(tested);
  browser = await launch();
  context = await newProfile(browser, PHONE);
});

after(async () => {
  await browser?.close();
  await tested?.close();
  shop?.close();
});

test('the payment page is read in order, each control by its name', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  await titled(page, 'Pay with card').waitFor();
  const lines = await readAloud(page, 'Checkout');
  assert.deepEqual(
    lines.map((line) => line.replace(/^(Expires at) \d.*$/, '$1 {time}')),
    [
      'Test checkout',
      'No money moves here. Pay with a test card, and never enter a real one.',
      'DisclosureTriangle “Test cards”',
      'Fernhill Outfitters',
      'Pay',
      '$52.36',
      'Trail map, digital $18.00',
      'Guided walk, 12 Dec 2 × $17.18 $34.36',
      'Total $52.36',
      'Expires at {time}',
      'heading “Pay with card”',
      'E-mail',
      'textbox “E-mail”, focused',
      'Card details',
      'textbox “Card number”',
      'textbox “Expiry date”',
      'textbox “Security code”',
      'Name on card',
      'textbox “Name on card”',
      'Country',
      'combobox “Country”',
      'button “Pay $52.36”',
      'Card data goes straight to the payment processor.',
      'button “Back to Fernhill Outfitters”',
    ],
  );
  await page.close();
});

test('a customer pays with the keyboard alone, goes back to the shop, and the shop gets one event', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  await titled(page, 'Pay with card').waitFor();
  await checkAccess(page);
  await focuses(page, 'email');
  await page.keyboard.type('mira@mail.example');
  await tabTo(page, /^Card number/);
  await page.keyboard.type(PAID);
  await tabTo(page, /^Expiry date/);
  await page.keyboard.type(`8${CARD_YEAR}`);
  await tabTo(page, /^Security code/);
  await page.keyboard.type('123');
  await tabTo(page, /^Name on card/);
  await page.keyboard.type('Mira Holm');
  assert.equal(await page.getByLabel('Card number').inputValue(), '4242 4242 4242 4242');
  assert.equal(await page.getByLabel('Expiry date').inputValue(), `08 / ${CARD_YEAR}`);
  await page.keyboard.press('Enter');
  await titled(page, 'Thank you, Mira Holm').waitFor();
  await page.getByText('•••• 4242').waitFor();
  await checkAccess(page);
  await press(page, new RegExp(`^Back to ${MERCHANT}`));
  await page.waitForURL(`${shop.url}/thanks`);

  const after = await shop.readSession(session.id);
  assert.deepEqual([after.status, after.payment_status, after.url], ['complete', 'paid', null]);
  assert.equal(after.customer_details?.email, 'mira@mail.example');
  await shop.heard(session.id, 'payment.succeeded');

  await page.goBack();
  await titled(page, 'This is already paid').waitFor();
  await checkAccess(page);
  assert.equal(
    await page.getByRole('link', { name: `Back to ${MERCHANT}` }).getAttribute('href'),
    `${shop.url}/thanks`,
  );
  await page.close();
});

variant('a declined card is explained, focus is on its number, and another card pays', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  await fill(page, '4000000000009995');
  await button(page, PAY).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match((await alert.textContent()) ?? '', /Payment declined\s*You have not been charged\./);
  const number = page.getByLabel('Card number', { exact: true });
  await focuses(page, 'number');
  const described = await number.getAttribute('aria-describedby');
  assert.equal(
    await page.locator(`#${described}`).innerText(),
    'There is not enough money on this card. Try another card.',
  );
  await checkAccess(page);
  assert.equal((await shop.readSession(session.id)).status, 'open');
  await number.fill(PAID);
  await button(page, PAY).click();
  await titled(page, 'Thank you, Mira Holm').waitFor();
  await shop.heard(session.id, 'payment.declined', 'payment.succeeded');
  await page.close();
});

variant('the bank’s challenge: failed, it is declined; completed after a reload, it is paid', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  await fill(page, ASKED);
  await button(page, PAY).click();
  await titled(page, 'Your bank is asking').waitFor();
  await page.getByText('•••• 3155').waitFor();
  await checkAccess(page);
  await button(page, 'Fail').click();
  await page.getByText('Your bank could not confirm that it was you.', { exact: false }).waitFor();
  assert.equal(await page.getByLabel('Card number').inputValue(), '4000 0025 0000 3155');
  await button(page, PAY).click();
  await titled(page, 'Your bank is asking').waitFor();

  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  assert.doesNotMatch(kept, /3155|4000|Mira|1234/);
  await page.reload();
  await titled(page, 'Your bank is asking').waitFor();
  await button(page, 'Complete').click();
  await titled(page, 'Thank you').waitFor();
  await shop.heard(session.id, 'payment.declined', 'payment.succeeded');
  await page.close();
});

variant('going back to the shop cancels, and the page says so afterwards', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  await button(page, `Back to ${MERCHANT}`).click();
  await page.waitForURL(`${shop.url}/cart`);
  assert.equal((await shop.readSession(session.id)).status, 'expired');
  await shop.heard(session.id, 'payment.cancelled');
  await page.goBack();
  await titled(page, 'This checkout was cancelled').waitFor();
  await page.close();
});

variant('an expired checkout says so, even while it is open', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  await fill(page, PAID);
  const past = new Date(Date.now() - 1000);
  await tested.service.db
    .updateTable('checkout_sessions')
    .set({ created_at: new Date(past.getTime() - 30 * 60_000), expires_at: past })
    .where('id', '=', session.id)
    .execute();
  await button(page, PAY).click();
  await titled(page, 'This checkout has expired').waitFor();
  await page.getByText('It was open for 30 minutes. You have not been charged.', { exact: true }).waitFor();
  await checkAccess(page);
  await page.getByRole('link', { name: `Back to ${MERCHANT}` }).click();
  await page.waitForURL(`${shop.url}/cart`);
  assert.equal(await attemptsOn(session.id), 0);
  await page.close();
});

test('an extra press, another tab and lost answers pay once', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  const other = await visit(session.url);
  await fill(page, PAID);
  await fill(other, PAID);
  const ids: string[] = [];
  await page.route('**/payments', async (route) => {
    ids.push((route.request().postDataJSON() as { attempt: string }).attempt);
    if (ids.length === 1) await route.fulfill({ status: 500, body: 'broken' });
    else if (ids.length === 2) await route.abort('connectionreset');
    else {
      // It is paid, but the answer is lost.
      await route.fetch();
      await route.abort('connectionreset');
    }
  });
  await button(page, PAY).dblclick();
  await page.getByText('No answer came', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Card number').inputValue(), '4242 4242 4242 4242');
  await checkAccess(page);
  await button(page, PAY).click();
  await poll(() => ids.length === 2, 'the second try');
  await page.getByText('No answer came', { exact: true }).waitFor();
  await button(page, PAY).click();
  await titled(page, 'Thank you, Mira Holm').waitFor();
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
  await button(other, PAY).click();
  await titled(other, 'This is already paid').waitFor();
  assert.equal(await attemptsOn(session.id), 1);
  await shop.heard(session.id, 'payment.succeeded');
  await page.close();
  await other.close();
});

variant('a slow answer keeps the button busy and is waited for', async () => {
  const session = await shop.newSession();
  const page = await visit(session.url);
  await fill(page, PAID);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/payments', async (route) => {
    await held;
    await route.continue();
  });
  await button(page, PAY).click();
  const busy = page.locator('button[type=submit][aria-disabled=true]');
  await busy.waitFor();
  await page.getByRole('status').getByText('Paying', { exact: true }).waitFor();
  // Playwright would wait until it is enabled; users do not.
  await busy.click({ force: true });
  release();
  await titled(page, 'Thank you, Mira Holm').waitFor();
  assert.equal(await attemptsOn(session.id), 1);
  await page.close();
});

test('a number that is not on the list never leaves the browser', async () => {
  const page = await visit((await shop.newSession()).url);
  await fill(page, REAL);
  left.length = 0;
  await button(page, PAY).click();
  await page.getByRole('form').getByText('This page takes test cards only.').waitFor();
  await focuses(page, 'number');
  assert.equal(left.filter((body) => body.includes('card')).length, 0);
  await page.getByText('Test cards', { exact: true }).first().click();
  await checkAccess(page);
  await button(page, 'Use card 4000 0000 0000 0002').click();
  assert.equal(await page.getByLabel('Card number').inputValue(), '4000 0000 0000 0002');
  await button(page, PAY).click();
  await page.getByText('Payment declined').waitFor();
  assert.equal(left.join('').includes(REAL), false);
  assert.equal(left.join('').includes(DECLINED), true);
  await page.close();
});

variant('missing input is reported at its field, and focus goes to the first', async () => {
  const page = await visit((await shop.newSession()).url);
  await titled(page, 'Pay with card').waitFor();
  await button(page, PAY).click();
  await page.getByText('Enter your e-mail address.').waitFor();
  await focuses(page, 'email');
  await page.keyboard.type('mira@');
  await page.keyboard.press('Tab');
  await page.getByText('This is not an e-mail address. Check that you typed all of it.').first().waitFor();
  await checkAccess(page);
  await page.close();
});

test('the page has no card in its logs, storage or URL, and declares what it needs', async () => {
  const session = await shop.newSession();
  const response = await fetch(session.url);
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    assert.ok(policy.includes(part), part);
  // Wallets are not offered here.
  assert.doesNotMatch(policy, /frame-src/);
  assert.equal(response.headers.get('cross-origin-opener-policy'), 'same-origin');
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.doesNotMatch(await response.text(), /<style|style=|<script(?![^>]*\bsrc=)/);
  assert.deepEqual(refused, []);

  const script = / src="\.(\/assets\/[^"]+)"/.exec(await (await fetch(session.url)).text())?.[1];
  const asset = await fetch(`${tested.url}/pay${script}`);
  assert.equal(asset.status, 200);
  assert.match(asset.headers.get('content-type') ?? '', /^text\/javascript/);
  assert.match(asset.headers.get('cache-control') ?? '', /immutable/);
  for (const path of ['nothing.js', '..%2findex.html', '.hidden', '%00'])
    assert.equal((await fetch(`${tested.url}/pay/assets/${path}`)).status, 404, path);

  const lines = tested.log.join('\n');
  assert.ok(lines.includes('"route":"/pay/:page"'));
  assert.equal(lines.includes(session.url.split('/').at(-1)!), false);
  for (const number of [PAID, DECLINED, ASKED, REAL]) assert.equal(lines.includes(number), false);
});

for (const [name, options] of Object.entries({
  dark: { colorScheme: 'dark' },
  wide: { viewport: { width: 900, height: 900 } },
} as const))
  (name === 'dark' ? test : variant)(`everything can be read: ${name}`, async () => {
    const made = await newProfile(browser, options);
    const page = await made.newPage();
    await page.goto((await shop.newSession()).url);
    await titled(page, 'Pay with card').waitFor();
    await button(page, PAY).click();
    await page.evaluate(() => (document.documentElement.dir = 'rtl'));
    await checkAccess(page);
    await made.close();
  });
