/**
 * docs/checkout.md and docs/webhooks.md, command by command, as a new merchant runs them beside `npm run service`; the customer has a
 * browser. The receiver is the code in the documentation. A proxy between it and the service records what arrives.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { joinDatabase } from '../../service/database/database.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { Delivery } from '../../src/api/webhook.ts';
import { dataIn, temporaryFolder } from '../service/harness.ts';
import { logOf } from '../service/logs.ts';
import { end, type ServiceProcess, startProcess } from '../service/processes-setup.ts';
import { codeIn, openShell, type Shell } from '../service/shell-walk.ts';
import { type Arrived, type Receiver, startReceiver } from '../service/webhooks-setup.ts';
import { poll } from '../waiting.ts';
import { CARD_YEAR, launch, newProfile } from './harness.ts';

const SHOP = 'https://shop.example';
const PAY = 'Pay €29.99';
/** Credentials in the page's commands. */
const CREDENTIALS = `Basic ${Buffer.from('shop:correct horse').toString('base64')}`;

const folder = temporaryFolder();
const settings = { DATA_DIR: dataIn(folder), OUTBOUND_RANGES: '127.0.0.0/8' };
const [client, order, read, dashboard, ...others] = codeIn('checkout.md', '## Your first payment');

let service: ServiceProcess;
let shell: Shell;
let browser: Browser;
let context: BrowserContext;
/** The service sends its events here; they are forwarded. */
let between: Receiver;
let receiver: ChildProcess;
/** Output of the receiver. */
let printed = '';
/** Events without the right credentials or with a wrong signature. */
const doubts: unknown[] = [];

/** The page's commands, with the addresses of this test. */
const here = (commands: string): string =>
  commands.replace('http://localhost:4001', service.url).replace('http://127.0.0.1:8080/events', between.url);

async function makeOrder(number = '4711'): Promise<{ id: string; url: string }> {
  const url = await shell.run(order!.replace('ORDER=4711', `ORDER=${number}`));
  return { id: (await shell.run('echo "$SESSION_ID"')).trim(), url: url.trim() };
}

const readOrder = async (): Promise<CheckoutSession> => JSON.parse(await shell.run(read!)) as CheckoutSession;

const states = async (): Promise<string> => {
  const { status, payment_status } = await readOrder();
  return `${status} ${payment_status}`;
};

async function visit(url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function pay(page: Page, number: string): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill('mira@mail.example');
  await page.getByLabel('Card number', { exact: true }).fill(number);
  await page.getByLabel('Expiry date', { exact: true }).fill(`12${CARD_YEAR}`);
  await page.getByLabel('Security code', { exact: true }).fill('123');
  await page.getByLabel('Name on card', { exact: true }).fill('Mira Holm');
  await page.getByRole('button', { name: PAY, exact: true }).click();
}

/** Returns the page's URL at the shop. */
async function backAtShop(page: Page): Promise<string> {
  await page.waitForURL(`${SHOP}/**`);
  const url = page.url();
  await page.close();
  return url;
}

async function goOn(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Back to Mug shop', exact: true }).click();
  return backAtShop(page);
}

const eventsOf = (id: string): Arrived[] =>
  between.arrived.filter(({ event }) => event.data.session.id === id);

/** Exactly these events arrived, each once, and the documented receiver accepted them. */
async function hears(id: string, ...wanted: string[]): Promise<void> {
  const kinds = (): string[] =>
    eventsOf(id)
      .sort((a, b) => a.event.data.sequence - b.event.data.sequence)
      .map(({ event: { type, data } }) => (data.reason ? `${type} ${data.reason}` : type));
  const lines = (): string[] => printed.split('\n').filter((line) => line.includes(id));
  await poll(() => lines().length >= wanted.length, `${wanted.join()} at the receiver`);
  assert.deepEqual(kinds(), wanted);
  assert.deepEqual(doubts, []);
  assert.deepEqual(lines().sort(), wanted.map((kind) => `${kind.split(' ')[0]} ${id}`).sort());
}

before(async () => {
  service = await startProcess(settings);
  between = await startReceiver();
  shell = openShell(settings);
  browser = await launch();
  context = await newProfile(browser);
  await context.route(`${SHOP}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>The shop</h1>' }),
  );
});

after(async () => {
  await browser?.close();
  await shell?.close();
  receiver?.kill();
  if (service) await end(service);
  await between?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the first payment: created, paid in the browser, and read as complete and paid', async () => {
  assert.equal(others.length, 0, 'a command that nobody ran');
  await shell.run(here(client!));
  const { id, url } = await makeOrder();
  // The same order again returns the same session.
  assert.equal((await makeOrder()).id, id);
  const page = await visit(url);
  await pay(page, '4242424242424242');
  assert.equal(await goOn(page), `${SHOP}/thanks?session=${id}`);
  const session = await readOrder();
  assert.equal(`${session.status} ${session.payment_status}`, 'complete paid');
  assert.match(session.payment_intent!, /^pi_\w+$/);
  assert.deepEqual(
    [session.customer_details!.name, session.customer_details!.email, session.customer, session.amount_total],
    ['Mira Holm', 'mira@mail.example', 'customer-7', 2999],
  );
});

test('the dashboard link shows the payment, and works once', async () => {
  const { id } = await readOrder();
  const link = (await shell.run(dashboard!)).trim();
  const page = await visit(link);
  await page.getByText(id).waitFor();
  await page.close();
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 410);
});

test('custom branding, with an icon', async () => {
  const [commands, ...rest] = codeIn('checkout.md', '## Your look');
  assert.equal(rest.length, 0, 'a command that nobody ran');
  const { settings: look } = JSON.parse(await shell.run(commands!)) as {
    settings: { branding: { primary_color: string; icon: string } };
  };
  assert.equal(look.branding.primary_color, '#efe8da');
  const page = await visit((await makeOrder('4712')).url);
  const icon = page.locator('img[src*="/icons/"]').first();
  await poll(
    async () => (await icon.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)) || undefined,
    'the icon',
  );
  assert.ok((await icon.getAttribute('src'))!.endsWith(look.branding.icon));
  await page.close();
});

test('a receiver is registered, and runs as documented', async () => {
  const [register, ...rest] = codeIn('webhooks.md', '## Register a receiver');
  assert.equal(rest.length, 0, 'a command that nobody ran');
  await shell.run(here(register!));
  const [code] = codeIn('webhooks.md', '## Verify', 'js');
  const SIGNING_SECRET = (await shell.run('echo "$SIGNING_SECRET"')).trim();
  // On any free port, which it prints.
  const listening = code!.replace(/\.listen\(8080, '127\.0\.0\.1'\);/, (text) => {
    return `${text.replace('8080', '0').slice(0, -1)}.on('listening', function () { console.log(this.address().port); });`;
  });
  assert.notEqual(listening, code);
  receiver = spawn(process.execPath, ['--input-type=module', '--eval', listening], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], SIGNING_SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  logOf(receiver);
  const [first] = (await once(receiver.stdout!, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${String(first).trim()}/events`;
  receiver.stdout!.on('data', (data: Buffer) => (printed += String(data)));

  const verifier = new Webhook(SIGNING_SECRET);
  between.answer = async (response, { headers, body }) => {
    try {
      assert.equal(headers.authorization, CREDENTIALS);
      verifier.verify(body, headers as Record<string, string>);
    } catch (error) {
      doubts.push(error);
    }
    const answer = await fetch(url, { method: 'POST', headers: headersOf(headers), body });
    response.writeHead(answer.status).end();
  };
  // It accepts nothing from others.
  const wrong = [
    {},
    { authorization: CREDENTIALS },
    {
      authorization: CREDENTIALS,
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
  ];
  for (const headers of wrong)
    assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 401);
});

function headersOf(headers: Arrived['headers']): Record<string, string> {
  const kept = ['authorization', 'content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(kept.map((name) => [name, String(headers[name])]));
}

test('a payment: one payment.succeeded, with the credentials and a valid signature', async () => {
  const { id, url } = await makeOrder('4713');
  const page = await visit(url);
  await pay(page, '4242424242424242');
  await goOn(page);
  assert.equal(await states(), 'complete paid');
  await hears(id, 'payment.succeeded');
  const [{ event }] = eventsOf(id) as [Arrived];
  assert.deepEqual(event.data.session, await readOrder());
});

test('a declined card: the session stays open, and another card pays', async () => {
  const { id, url } = await makeOrder('4714');
  const page = await visit(url);
  await pay(page, '4000000000009995');
  await page.getByText('There is not enough money on this card. Try another card.').waitFor();
  assert.equal(await states(), 'open unpaid');
  await hears(id, 'payment.declined insufficient_funds');
  await pay(page, '5555555555554444');
  await goOn(page);
  assert.equal(await states(), 'complete paid');
  await hears(id, 'payment.declined insufficient_funds', 'payment.succeeded');
});

test('the customer goes back to the shop: cancelled', async () => {
  const { id, url } = await makeOrder('4715');
  const page = await visit(url);
  await page.getByRole('button', { name: 'Back to Mug shop', exact: true }).click();
  assert.equal(await backAtShop(page), `${SHOP}/cart`);
  assert.equal(await states(), 'expired unpaid');
  await hears(id, 'payment.cancelled cancelled');
});

test('the time runs out: expired', async () => {
  const { id, url } = await makeOrder('4716');
  const database = await joinDatabase(
    { databaseUrl: undefined, databaseConnections: 2, dataFolder: settings.DATA_DIR },
    { debug: () => {}, warn: () => {} },
  );
  await database.db
    .updateTable('checkout_sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute();
  await database.close();
  assert.equal(await states(), 'expired unpaid');
  await hears(id, 'payment.cancelled expired');
  const page = await visit(url);
  await page.getByRole('heading', { level: 1, name: 'This checkout has expired', exact: true }).waitFor();
  await page.close();
});

test('the bank’s challenge: declined if the customer fails it, paid if they complete it', async () => {
  const { id, url } = await makeOrder('4717');
  const page = await visit(url);
  await pay(page, '4000002500003155');
  await page.getByRole('button', { name: 'Fail', exact: true }).click();
  await page
    .getByText('Your bank could not confirm that it was you. Try again, or use another card.')
    .waitFor();
  await page.getByRole('button', { name: PAY, exact: true }).click();
  await page.getByRole('button', { name: 'Complete', exact: true }).click();
  await goOn(page);
  assert.equal(await states(), 'complete paid');
  await hears(id, 'payment.declined authentication_failed', 'payment.succeeded');
});

test('deliveries are listed and sent again, by the merchant and by the operator', async () => {
  const [list, redeliver, operator, ...rest] = codeIn('webhooks.md', '## What was sent');
  assert.equal(rest.length, 0, 'a command that nobody ran');
  const sent = between.arrived.length;
  const before = printed;
  // A delivery that has just arrived may not be stored yet.
  const deliveries = await poll(async () => {
    const found = JSON.parse(await shell.run(list!)) as Delivery[];
    return found.length === sent ? found : undefined;
  }, 'every delivery in the log');
  assert.deepEqual(
    deliveries.map(({ eventId }) => eventId).sort(),
    between.arrived.map(({ event }) => event.id).sort(),
  );
  await shell.run(redeliver!);
  await poll(() => between.arrived.length === sent + 1, 'the second delivery');
  await shell.run(operator!);
  await poll(() => between.arrived.length === sent + 2, 'the third delivery');
  const ids = between.arrived.slice(-3).map(({ event }) => event.id);
  assert.equal(ids.at(-1), deliveries[0]!.eventId);
  assert.equal(ids.at(-2), deliveries[0]!.eventId);
  assert.deepEqual(doubts, []);
  // The receiver already had it.
  assert.equal(printed, before);
});
