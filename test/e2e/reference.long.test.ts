/** The forms of the service's `/docs`, in a browser under its policy. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { QUICK } from '../service/custody-setup.ts';
import { startTested, type Tested } from '../service/harness.ts';
import { axe, launch, newProfile, PIN } from './harness.ts';
import { variant } from './parts.ts';

let service: Tested;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let client: { id: string; secret: string };
/** What the page's policy refused, and what its script threw. */
const trouble: string[] = [];
const sent: Request[] = [];

before(async () => {
  service = await startTested({}, { pins: { cost: QUICK } });
  client = await service.client(['view:wallets', 'view:profile', 'whitelabel']);
  browser = await launch();
});
after(async () => {
  await browser.close();
  await service.close();
});

beforeEach(async () => {
  await context?.close();
  context = await newProfile(browser, { viewport: { width: 360, height: 780 }, colorScheme: 'dark' });
  page = await context.newPage();
  sent.length = 0;
  page.on('request', (request) => void sent.push(request));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) trouble.push(message.text());
  });
  page.on('pageerror', (error) => trouble.push(String(error)));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`refused: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  await page.goto(`${service.url}/docs`);
});

const section = (id: string) => page.locator(`section#${id}`);
const token = () => page.getByRole('form', { name: 'Access token' });

async function open(id: string) {
  await section(id).getByText('Try it', { exact: true }).click();
  const form = section(id).getByRole('form');
  await form.waitFor();
  return form;
}

async function signIn(): Promise<void> {
  await token().getByLabel('Client id').fill(client.id);
  await token().getByLabel('Client secret').fill(client.secret);
  await token().getByRole('button', { name: 'Use it' }).click();
  await token()
    .getByText(/A token for view:wallets/)
    .waitFor();
}

test('makes a wallet and reads it, on a phone in the dark, with nothing refused by the policy', async () => {
  await signIn();
  const creating = await open('createWallet');
  assert.equal(await creating.getByLabel('pincode').getAttribute('type'), 'password');
  assert.doesNotMatch(await creating.getByLabel('Body, as JSON').inputValue(), /pincode/);
  await creating.getByLabel('pincode').fill(PIN);
  await creating.getByRole('button', { name: 'Send POST' }).click();
  await creating.getByText(/^201 Created in \d+ ms$/).waitFor();
  const answer = await creating.getByLabel('Body of the answer').innerText();
  const { id, identifier } = JSON.parse(answer) as { id: string; identifier: string };
  assert.equal(identifier, 'till-1');
  assert.match(await creating.getByLabel('Headers of the answer').innerText(), /x-request-id: \S+/);
  const reading = await open('readWallet');
  await reading.getByLabel('id').fill(id);
  await reading.getByLabel('id').press('Enter');
  await reading.getByText(/^200 OK in/).waitFor();
  const list = await open('listWallets');
  await list.getByLabel('limit (optional)').fill('0');
  await list.getByRole('button', { name: 'Send GET' }).click();
  await list.getByText(/^400 Bad Request/).waitFor();
  assert.match(await list.getByLabel('Body of the answer').innerText(), /"code": "request.invalid"/);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} px wide`);
  // The forms alone: axe takes a minute for the whole reference.
  await page.evaluate(() => {
    for (const other of document.querySelectorAll(
      'main > section:not(:has(form)), main > h2, main > table, nav > ul > li',
    ))
      other.remove();
  });
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(trouble, []);
});

test('shows the request for curl without PIN, secret and token, and keeps these in no storage and no URL', async () => {
  await signIn();
  const form = await open('createWallet');
  await form.getByLabel('pincode').fill(PIN);
  const curl = () => form.getByLabel('The request as a curl command').innerText();
  assert.match(
    await curl(),
    /^curl -X POST 'http:\/\/localhost:\d+\/api\/wallets' \\\n {2}-H "Authorization: Bearer \$TOKEN"/,
  );
  assert.match(await curl(), /"pincode":"<pincode>"/);
  // Also where somebody types it into the body.
  await form.getByLabel('Body, as JSON').fill(`{"pincode":"${PIN}","alias":"O'Neill"}`);
  assert.match(await curl(), /"pincode":"<pincode>","alias":"O'\\''Neill"/);
  await form.getByLabel('Body, as JSON').fill('{');
  assert.equal(await curl(), 'The body is not JSON.');
  const kept = await page.evaluate(async () => ({
    text: document.body.innerText,
    html: document.documentElement.outerHTML,
    storage: JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
    databases: (await indexedDB.databases()).length,
    url: location.href,
  }));
  assert.equal(kept.databases, 0);
  for (const text of [kept.storage, kept.url, kept.text])
    for (const secret of [PIN, client.secret, 'eyJhb']) assert.ok(!text.includes(secret));
  assert.ok(!kept.html.includes(client.secret));
  assert.ok(sent.every((request) => !request.url().includes(client.secret)));
  await page.reload();
  await token().getByText('No token.').waitFor();
  assert.deepEqual(trouble, []);
});

variant('asks for the client’s secret where a call takes it and no token, and shows it nowhere', async () => {
  const form = await open('listClientSecrets');
  assert.equal(await form.getByLabel('Client secret').getAttribute('type'), 'password');
  await form.getByLabel('Client id').fill(client.id);
  await form.getByLabel('Client secret').fill(client.secret);
  assert.match(
    await form.getByLabel('The request as a curl command').innerText(),
    /^curl 'http:\/\/localhost:\d+\/api\/client\/secrets' \\\n {2}-u "\$CLIENT_ID:\$CLIENT_SECRET"$/,
  );
  await form.getByRole('button', { name: 'Send GET' }).click();
  await form.getByText(/^200 OK in/).waitFor();
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  assert.ok(!html.includes(client.secret));
  assert.deepEqual(trouble, []);
});

test('sends nothing that changes something without a press of its button, and nothing at all without a token', async () => {
  const form = await open('createWallet');
  const posts = () => sent.filter((request) => request.method() === 'POST').length;
  await form.getByRole('button', { name: 'Send POST' }).click();
  await form.getByText('Not sent: get a token first, at the top of this page.').waitFor();
  await signIn();
  const before = posts();
  await form.getByLabel('pincode').fill(PIN);
  await form.getByLabel('pincode').press('Enter');
  await form.getByLabel('Idempotency-Key (optional)').press('Enter');
  assert.equal(posts(), before);
  await token().getByRole('button', { name: 'Forget it' }).click();
  await form.getByRole('button', { name: 'Send POST' }).click();
  await form.getByText('Not sent: get a token first, at the top of this page.').waitFor();
  await token().getByLabel('Client secret').fill('wrong');
  await token().getByLabel('Client id').fill(client.id);
  await token().getByRole('button', { name: 'Use it' }).click();
  await token()
    .getByText(/^No token: The client is unknown/)
    .waitFor();
  assert.deepEqual(trouble, []);
});

variant('is worked by the keyboard alone', async () => {
  await page.locator('section#readProfile summary', { hasText: 'Try it' }).focus();
  await page.keyboard.press('Enter');
  const form = section('readProfile').getByRole('form');
  await form.waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await form.getByRole('button').evaluate((one) => one === document.activeElement), true);
  await page.keyboard.press('Enter');
  await form.getByText('Not sent: get a token first, at the top of this page.').waitFor();
  assert.deepEqual(trouble, []);
});
