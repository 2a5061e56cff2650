/** Receipts by e-mail: to whom, what they say, once, and never in the way of a payment. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { PayPage } from '../../src/api/pay.ts';
import type { Problem } from '../../src/api/problem.ts';
import { DEFAULTS } from '../../service/checkout/receipts/mail-settings.ts';
import { MailServer } from '../../service/checkout/receipts/mail-server.ts';
import { mailText } from '../../service/checkout/receipts/mail-text.ts';
import { sendMails } from '../../service/checkout/receipts/send-mails.ts';
import { accept } from '../../service/restored/accept.ts';
import type { MailSettings } from '../../service/service-config.ts';
import { poll } from '../waiting.ts';
import { CHALLENGE, openShop, order, pagePath, payment, type Shop } from './checkout-setup.ts';
import { startTested, type Tested } from './harness.ts';
import { type Catcher, type Caught, catchMails } from './mail-catcher.ts';

const FROM = { name: 'Mug shop, Ltd', address: 'receipts@shop.example' };
const AUTH: [string, string] = ['shop', 'correct horse'];
const HOUR = 3_600_000;

let catcher: Catcher;
let tested: Tested;
let shop: Shop;
/** The service's clock of e-mails is ahead by so much. */
let ahead = 0;
const TIMES = { ...DEFAULTS, everyMs: 20, now: () => Date.now() + ahead };

const settingsOf = (port: number, server: Partial<MailSettings['server']> = {}): MailSettings => ({
  server: { host: '127.0.0.1', port, tls: 'none', auth: { user: AUTH[0], pass: AUTH[1] }, ...server },
  from: FROM,
});

before(async () => {
  catcher = await catchMails({ auth: AUTH });
  tested = await startTested({ mail: settingsOf(catcher.port) }, { mails: TIMES });
  shop = await openShop(tested);
});
after(async () => {
  await tested.close();
  await catcher.close();
});

const free = order({
  line_items: [
    { price_data: { product_data: { name: 'Sticker' }, unit_amount: 0, currency: 'EUR' }, quantity: 1 },
  ],
});

async function send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const response = await tested.post(path, body, headers);
  return `${response.status} ${((await response.json()) as Partial<Problem>).code ?? ''}`.trim();
}

/** Nobody gave an address yet. */
async function done(body: unknown = free): Promise<CheckoutSession> {
  const session = await shop.create(body);
  assert.equal(await send(`${pagePath(session)}/complete`, {}), '200');
  return session;
}

const ask = (session: CheckoutSession, email: unknown, headers = {}): Promise<string> =>
  send(`${pagePath(session)}/receipt/mail`, { email }, headers);

const sentTo = (address: string): Caught[] => catcher.caught.filter(({ to }) => to.includes(address));

async function caught(address: string): Promise<Caught> {
  await poll(() => sentTo(address).length > 0, `an e-mail to ${address}`);
  return sentTo(address)[0]!;
}

async function stateOf({ id }: CheckoutSession): Promise<string> {
  const row = await tested.service.db
    .selectFrom('receipt_mails')
    .select(['state', 'address', 'attempts'])
    .where('session_id', '=', id)
    .executeTakeFirst();
  return row ? `${row.state} ${row.address} ${row.attempts}` : 'none';
}

async function untilState(session: CheckoutSession, state: string): Promise<void> {
  await poll(async () => (await stateOf(session)) === state, `${state} of ${session.id}`);
}

async function offered(session: CheckoutSession): Promise<boolean | undefined> {
  const response = await tested.get(`${pagePath(session)}/session`);
  return PayPage.parse(await response.json()).receiptMail;
}

test('whoever pays by card gets the receipt once, and the address is deleted', async () => {
  const session = await shop.create(order({ client_reference_id: 'A-1042' }));
  assert.equal(await offered(session), true);
  const sent = payment(undefined, { email: 'card@mail.example' });
  for (let time = 0; time < 3; time++) assert.equal(await send(`${pagePath(session)}/payments`, sent), '200');
  const mail = await caught('card@mail.example');
  await untilState(session, 'sent null 1');
  assert.deepEqual([mail.from, mail.to], ['receipts@shop.example', ['card@mail.example']]);
  assert.equal(mail.header('From'), '"Mug shop, Ltd" <receipts@shop.example>');
  assert.equal(mail.header('To'), 'card@mail.example');
  assert.equal(mail.header('Subject'), 'Your receipt from test');
  assert.equal(mail.header('Auto-Submitted'), 'auto-generated');
  const receipt = await tested.get(`/checkout/sessions/${session.id}/receipt`, shop.headers);
  const { number } = (await receipt.json()) as { number: string };
  assert.equal(mail.header('Message-ID'), `<receipt-${number}@shop.example>`);
  for (const text of [mail.text, mail.html])
    for (const words of [number, 'A-1042', 'Mug (2 × €12.50)', '€25.00', 'Shipping', '€29.99', '•••• 4242'])
      assert.ok(text.includes(words), `${words} in ${text}`);
  for (const secret of [session.id, pagePath(session).split('/').at(-1)!, shop.client.secret, 'card@'])
    assert.ok(!`${mail.text}${mail.html}`.includes(secret), secret);
  assert.equal(await offered(session), false);
  assert.equal(await ask(session, 'card@mail.example'), '409 request.conflict');
  assert.equal(sentTo('card@mail.example').length, 1);
});

test('a card that the bank asks about is receipted after its answer, in the language of the page', async () => {
  const session = await shop.create();
  const sent = payment(CHALLENGE, { email: 'bank@mail.example' });
  const german = { 'Accept-Language': 'de-CH-u-nu-latn' };
  await send(`${pagePath(session)}/payments`, sent, german);
  assert.equal(await stateOf(session), 'none');
  await send(`${pagePath(session)}/challenge`, { attempt: sent['attempt'], outcome: 'complete' }, german);
  const mail = await caught('bank@mail.example');
  assert.equal(mail.header('Subject'), 'Ihr Beleg von test');
  assert.match(mail.html, /<html lang="de" dir="ltr">/);
  assert.match(mail.text, /Bezahlt am/);
});

test('who paid without a card asks for it, and it says that the order was free', async () => {
  const open = await shop.create(free);
  assert.equal(await ask(open, 'early@mail.example'), '404 request.not-found');
  const session = await done();
  assert.equal(await ask(session, 'free@mail.example', { 'Accept-Language': 'ar' }), '200');
  const mail = await caught('free@mail.example');
  assert.match(mail.html, /<html lang="ar" dir="rtl">/);
  assert.match(mail.text, /مجاني/);
  assert.match(mail.text, /0\.00/);
  const unpaid = await shop.create();
  assert.equal(await ask(unpaid, 'unpaid@mail.example'), '404 request.not-found');
});

test('nothing of a name or an address becomes a header, a recipient or markup', async () => {
  const address = 'names@mail.example';
  for (const wrong of [
    'a@mail.example\r\nBcc: b@mail.example',
    'a@mail.example, b@mail.example',
    '<a@mail.example>',
    '"x@evil.example"@mail.example',
    'a@mail.example\u0000',
    `${'a'.repeat(250)}@mail.example`,
    ['a@mail.example'],
    '',
  ])
    assert.equal(await ask(await done(), wrong), '400 request.invalid', String(wrong));
  const named = 'Mugs\r\nBcc: b@mail.example\u2028\u202e<b>"&';
  const { db } = tested.service;
  await db.updateTable('clients').set({ merchant: named }).where('id', '=', shop.applicationId).execute();
  const item = '<img src=x onerror=alert(1)>"; \u202e';
  const session = await done({
    ...free,
    client_reference_id: '</td><script>',
    line_items: [
      { price_data: { product_data: { name: item }, unit_amount: 0, currency: 'EUR' }, quantity: 1 },
    ],
  });
  assert.equal(await ask(session, address), '200');
  const mail = await caught(address);
  await db.updateTable('clients').set({ merchant: null }).where('id', '=', shop.applicationId).execute();
  assert.deepEqual(mail.to, [address]);
  assert.equal(mail.header('Bcc'), undefined);
  assert.equal(mail.header('Subject'), 'Your receipt from Mugs Bcc: b@mail.example <b>"&');
  assert.doesNotMatch(mail.html, /<(?:img|script|b)\b/);
  assert.match(mail.html, /&lt;img src=x onerror=alert\(1\)&gt;&quot;;/);
  assert.doesNotMatch(`${mail.text}${mail.html}`, /[\u2028\u202e]/);
});

test('an address that the server refuses can be given anew, and other trouble is no refusal', async () => {
  const session = await done();
  catcher.recipientReply = '550 5.1.1 <typo@mail.example> no such user';
  assert.equal(await ask(session, 'typo@mail.example'), '200');
  await untilState(session, 'refused null 1');
  assert.equal(await offered(session), true);
  catcher.recipientReply = '451 4.7.1 greylisted';
  assert.equal(await ask(session, 'right@mail.example'), '200');
  await untilState(session, 'waiting right@mail.example 1');
  assert.equal(await ask(session, 'other@mail.example'), '409 request.conflict');
  catcher.recipientReply = undefined;
  ahead += HOUR;
  await caught('right@mail.example');
  await untilState(session, 'sent null 2');
  assert.ok(!tested.log.some((line) => line.includes('@mail.example')), 'an address was logged');
});

test('what may have arrived is marked, and not sent again', async () => {
  const session = await done();
  catcher.dropsAfterMessage = true;
  assert.equal(await ask(session, 'dropped@mail.example'), '200');
  await untilState(session, 'unknown null 1');
  catcher.dropsAfterMessage = false;
  // The process was killed while it sent.
  const killed = await done();
  const { db } = tested.service;
  await db
    .insertInto('receipt_mails')
    .values({
      session_id: killed.id,
      application_id: shop.applicationId,
      address: 'killed@mail.example',
      language: 'en',
      state: 'sending',
      next_attempt_at: new Date(),
      leased_until: new Date(Date.now() + ahead + HOUR),
    })
    .execute();
  ahead += 2 * HOUR;
  await untilState(killed, 'unknown null 0');
  await ask(await done(), 'later@mail.example');
  await caught('later@mail.example');
  assert.deepEqual([sentTo('dropped@mail.example').length, sentTo('killed@mail.example').length], [1, 0]);
});

test('what waited when the database was backed up is not sent after a restore', async () => {
  const session = await done();
  const { db, keys } = tested.service;
  await db
    .insertInto('receipt_mails')
    .values({
      session_id: session.id,
      application_id: shop.applicationId,
      address: 'restored@mail.example',
      language: 'en',
      next_attempt_at: new Date(Date.now() + 100 * HOUR),
      leased_until: null,
    })
    .execute();
  const restore = { id: 'r1', backupAt: new Date(), restoredAt: new Date() };
  await accept(db, keys, restore, { wallets: 0, differences: [] }, []);
  assert.equal(await stateOf(session), 'unknown null 0');
});

test('several processes send each receipt once', async () => {
  const { service, app } = tested;
  const server = new MailServer(settingsOf(catcher.port).server, FROM);
  const others = [1, 2].map(() => sendMails({ ...service, server, times: TIMES, log: app.log }));
  const addresses = Array.from({ length: 6 }, (_, index) => `one${index}@mail.example`);
  for (const address of addresses) assert.equal(await ask(await done(), address), '200');
  for (const address of addresses) await caught(address);
  await Promise.all(others.map((other) => other.stop()));
  assert.deepEqual(
    addresses.map((address) => sentTo(address).length),
    addresses.map(() => 1),
  );
});

test('one network may ask for thirty in an hour', async () => {
  const session = await done();
  const answers: string[] = [];
  for (let time = 0; time < 31; time++) answers.push(await ask(session, 'often@mail.example'));
  assert.equal(answers.at(-1), '429 request.rate-limited');
});

describe('a mail server that is not there', () => {
  test('does not hold up the payment, and gets the receipt once it is back', async () => {
    const gone = await catchMails();
    await gone.close();
    const alone = await startTested({ mail: settingsOf(gone.port, { auth: undefined }) }, { mails: TIMES });
    try {
      const till = await openShop(alone);
      const session = await till.create();
      await alone.post(`${pagePath(session)}/payments`, payment(undefined, { email: 'late@mail.example' }));
      assert.equal((await till.read(session.id)).payment_status, 'paid');
      await poll(() => alone.log.some((line) => line.includes('ECONNREFUSED')), 'a failed attempt');
      const back = await catchMails({ port: gone.port });
      ahead += HOUR;
      await poll(() => back.caught.length > 0, 'the receipt');
      await back.close();
      assert.deepEqual(back.caught[0]!.to, ['late@mail.example']);
    } finally {
      await alone.close();
    }
  });

  test('gets nothing without TLS where that is needed, and a wrong password refuses no address', async () => {
    const plain = await catchMails({ auth: AUTH });
    const mail = { to: 'a@mail.example', messageId: '<x@shop.example>', subject: 'x', text: 'x', html: 'x' };
    const begin = async (): Promise<void> => assert.fail('begun');
    const bare = new MailServer(settingsOf(plain.port, { tls: 'required' }).server, FROM);
    await assert.rejects(bare.send(mail, begin), { name: 'MailError', kind: 'not-sent' });
    assert.ok(!plain.lines.some((line) => /^(AUTH|MAIL)/.test(line)), plain.lines.join());
    const wrong = new MailServer(settingsOf(plain.port, { auth: { user: 'x', pass: 'y' } }).server, FROM);
    await assert.rejects(wrong.send(mail, begin), { kind: 'not-sent', message: 'SMTP 535' });
    await plain.close();
  });
});

test('without the settings nobody is asked for an address', async () => {
  const alone = await startTested();
  try {
    const till = await openShop(alone);
    const session = await till.create();
    const path = pagePath(session);
    const page = PayPage.parse(await (await alone.get(`${path}/session`)).json());
    assert.equal(page.receiptMail, false);
    await alone.post(`${path}/payments`, payment());
    const response = await alone.post(`${path}/receipt/mail`, { email: 'a@mail.example' });
    assert.equal(((await response.json()) as Problem).code, 'request.not-found');
    assert.deepEqual(await alone.service.db.selectFrom('receipt_mails').selectAll().execute(), []);
  } finally {
    await alone.close();
  }
});

test('a payment in coins has its transaction, with a link', async () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const url = `https://explorer.example/tx/${hash}`;
  const coins = [
    { amount: '0.0125', symbol: 'ETH', networkName: 'Ethereum', transactionHash: hash, transactionUrl: url },
  ];
  const receipt = {
    number: '20261126-7F3K9Q2M',
    paidAt: Date.UTC(2026, 10, 26, 12),
    merchant: 'Mug shop',
    merchantVerified: true,
    reference: null,
    livemode: true,
    lineItems: [{ name: 'Mug', quantity: 1, unitAmount: 1250, amount: 1250 }],
    currency: 'JPY',
    amountTotal: 1250,
    card: null,
    coins,
    refunds: [],
    branding: null,
  };
  const { text, html, subject } = await mailText(receipt, 'ja');
  assert.equal(subject, 'Mug shopからの領収書');
  assert.match(text, /0\.0125 ETH[^]*Ethereum[^]*0xabab[^]*https:\/\/explorer\.example\/tx\/0xabab/);
  assert.ok(html.includes(`<a href="${url}"><bdi>${hash}</bdi></a>`));
  assert.match(text, /1,250/);
  assert.doesNotMatch(text, /\.00/);
  assert.match((await mailText(receipt, 'ko')).subject, /^Your receipt from Mug shop$/);
});
