/** The page of the payment provider `test`: what each card does, and that nothing is charged twice or stored. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { PayPage } from '../../src/api/pay.ts';
import type { Receipt } from '../../src/api/receipt.ts';
import type { Problem } from '../../src/api/problem.ts';
import { TEST_CARDS } from '../../src/api/test-cards.ts';
import { amountText } from '../../service/checkout/providers/test/dashboard.ts';
import { stripeAmount } from '../../service/checkout/providers/stripe/stripe-amounts.ts';
import {
  CHALLENGE,
  letExpire,
  openShop,
  order,
  pagePath,
  payment,
  type Shop,
  SUCCESS,
} from './checkout-setup.ts';
import { startTested, type Tested } from './harness.ts';
import { sectionOf } from './shell-walk.ts';

const THANKS = 'https://shop.example/thanks?order=1';
let tested: Tested;
let shop: Shop;

before(async () => {
  tested = await startTested();
  shop = await openShop(tested);
});
after(() => tested.close());

async function send(path: string, body: unknown): Promise<string> {
  const response = await tested.post(path, body);
  const { code, details, ...answer } = (await response.json()) as Partial<Problem>;
  return code ? `${response.status} ${code} ${JSON.stringify(details ?? {})}` : JSON.stringify(answer);
}

const kinds = async (id: string): Promise<string[]> =>
  (await shop.events(id)).map(({ type, data }) => `${type} ${data.reason}`);

test('every test card passes the Luhn check', () => {
  for (const { number } of TEST_CARDS) {
    const sum = [...number]
      .reverse()
      .map((digit, index) => Number(digit) * (index % 2 ? 2 : 1))
      .reduce((total, each) => total + (each > 9 ? each - 9 : each), 0);
    assert.equal(sum % 10, 0, number);
  }
});

test('more time: ten minutes in the last five, as often as needed, but never past a day', async () => {
  const session = await shop.create();
  const path = pagePath(session);
  const minutes = async (left: number, age = 30): Promise<number> => {
    const now = Date.now();
    await tested.service.db
      .updateTable('checkout_sessions')
      .set({ created_at: new Date(now - age * 60_000), expires_at: new Date(now + left * 60_000) })
      .where('id', '=', session.id)
      .execute();
    const answer = await tested.post(`${path}/extend`, {});
    const page = PayPage.parse(await answer.json());
    assert.equal(page.latestEnd, page.createdAt + 86_400_000);
    assert.equal((await shop.read(session.id)).expires_at, Math.floor(page.expiresAt / 1000));
    return Math.round((page.expiresAt - now) / 6000) / 10;
  };
  assert.deepEqual([await minutes(29), await minutes(5.5)], [29, 5.5]);
  for (let times = 0; times < 10; times++) assert.equal(await minutes(2), 10);
  // Of the day, less is left than ten minutes, nothing, less than nothing.
  assert.equal(await minutes(2, 24 * 60 - 4), 4);
  assert.deepEqual([await minutes(2, 24 * 60 - 2), await minutes(2, 24 * 60)], [2, 2]);
  assert.deepEqual(await kinds(session.id), []);
  await letExpire(tested, session.id);
  const ended = await tested.post(`${path}/extend`, {});
  assert.equal(PayPage.parse(await ended.json()).status, 'expired');
});

test('the documentation lists every test card and its outcome', () => {
  const section = sectionOf('checkout.md', '## Test cards');
  const found: string[] = [];
  const find = (text: string, outcome: string): void => {
    for (const [number] of text.matchAll(/\d[\d ]{12,}\d/g))
      found.push(`${number.replaceAll(' ', '')} ${outcome}`);
  };
  for (const row of section.matchAll(/^\| (.+?) +\| (.*?) +\| (.*?) +\| .+ \|$/gm)) {
    const [, reason, numbers, challenged] = row as unknown as [string, string, string, string];
    const outcome = reason.startsWith('none') ? 'paid' : reason.replaceAll('`', '');
    find(numbers, outcome);
    find(challenged, `challenge ${outcome}`);
  }
  find(section.slice(section.indexOf('Other cards that are paid')), 'paid');
  assert.deepEqual(
    found.sort(),
    TEST_CARDS.map(
      ({ number, challenge, decline }) => `${number} ${challenge ? 'challenge ' : ''}${decline ?? 'paid'}`,
    ).sort(),
  );
});

test('every test card behaves as listed', async () => {
  for (const { number, challenge, decline, brand } of TEST_CARDS) {
    const session = await shop.create();
    const sent = payment(number);
    const last4 = number.slice(-4);
    let answer = await send(`${pagePath(session)}/payments`, sent);
    if (challenge) {
      assert.equal(answer, JSON.stringify({ state: 'challenge', challenge: { brand, last4 } }));
      assert.equal((await shop.read(session.id)).status, 'open');
      answer = await send(`${pagePath(session)}/challenge`, {
        attempt: sent['attempt'],
        outcome: 'complete',
      });
    }
    assert.equal(
      answer,
      JSON.stringify(decline ? { state: 'declined', reason: decline } : { state: 'paid', redirect: THANKS }),
      number,
    );
    assert.deepEqual(
      await kinds(session.id),
      [decline ? `payment.declined ${decline}` : 'payment.succeeded null'],
      number,
    );
  }
});

test('a failed challenge declines the card, and the customer may try again', async () => {
  const session = await shop.create();
  const path = pagePath(session);
  const first = payment(CHALLENGE);
  await send(`${path}/payments`, first);
  const answer = { attempt: first['attempt'], outcome: 'fail' };
  const declined = JSON.stringify({ state: 'declined', reason: 'authentication_failed' });
  assert.equal(await send(`${path}/challenge`, answer), declined);
  // An outcome is final, whatever comes later.
  assert.equal(await send(`${path}/challenge`, { ...answer, outcome: 'complete' }), declined);
  assert.equal(await send(`${path}/payments`, first), declined);
  assert.match(await send(`${path}/payments`, payment()), /paid/);
  assert.deepEqual(await kinds(session.id), [
    'payment.declined authentication_failed',
    'payment.succeeded null',
  ]);
  assert.match(
    await send(`${path}/challenge`, { attempt: randomUUID(), outcome: 'complete' }),
    /400 request\.invalid/,
  );
});

test('the same attempt sent many times concurrently is one payment', async () => {
  const session = await shop.create();
  const sent = payment();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send(`${pagePath(session)}/payments`, sent)),
  );
  assert.deepEqual(new Set(answers), new Set([JSON.stringify({ state: 'paid', redirect: THANKS })]));
  assert.deepEqual(await kinds(session.id), ['payment.succeeded null']);
});

test('of many concurrent attempts one pays, and the others learn that it is paid', async () => {
  const session = await shop.create();
  const path = `${pagePath(session)}/payments`;
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(path, payment())));
  const complete = `409 checkout.session.complete ${JSON.stringify({ redirect: THANKS })}`;
  assert.equal(answers.filter((answer) => answer.includes('"paid"')).length, 1);
  assert.equal(answers.filter((answer) => answer === complete).length, 9);
  assert.deepEqual(await kinds(session.id), ['payment.succeeded null']);
});

test('of a concurrent payment and cancellation only one takes effect', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const session = await shop.create();
    const [paid, back] = await Promise.all([
      send(`${pagePath(session)}/payments`, payment()),
      fetch(`${tested.url}${pagePath(session)}/cancel`, { method: 'POST' }).then((answer) => answer.json()),
    ]);
    const { status } = await shop.read(session.id);
    assert.equal(paid.includes('"paid"'), status === 'complete');
    assert.equal((back as { redirect: string }).redirect === THANKS, status === 'complete');
    assert.equal((await kinds(session.id)).length, 1);
  }
});

test('a closed session accepts no payment, and says where to go', async () => {
  const session = await shop.create();
  const path = pagePath(session);
  const waiting = payment(CHALLENGE);
  await send(`${path}/payments`, waiting);
  await letExpire(tested, session.id);
  const expired = `409 checkout.session.expired ${JSON.stringify({ redirect: 'https://shop.example/cart' })}`;
  assert.equal(await send(`${path}/payments`, payment()), expired);
  assert.equal(
    await send(`${path}/challenge`, { attempt: waiting['attempt'], outcome: 'complete' }),
    expired,
  );
  assert.deepEqual(await kinds(session.id), ['payment.cancelled expired']);
});

test('an address that is no payment page is 404, with the page that says so', async () => {
  const statusOf = async (path: string, headers?: Record<string, string>) =>
    (await tested.get(path, headers)).status;
  const page = await tested.get(pagePath(await shop.create()));
  assert.equal(page.status, 200);
  const known = { 'If-None-Match': page.headers.get('etag')! };
  for (const path of ['/pay/x', '/pay/index.html', `/pay/${'A'.repeat(43)}`])
    assert.equal(await statusOf(path, known), 404, path);
  const unknown = await tested.get('/pay/x');
  assert.equal(await unknown.text(), await page.text());
  assert.equal(unknown.headers.get('cache-control'), 'no-store');
});

test('the page reads only what the customer may see', async () => {
  const session = await shop.create(order({ customer: { id: 'customer-7' } }));
  const response = await tested.get(`${pagePath(session)}/session`);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const text = await response.text();
  const page = PayPage.parse(JSON.parse(text));
  assert.deepEqual(
    [page.merchant, page.status, page.amountTotal, page.currency, page.redirect],
    ['test', 'open', 2999, 'EUR', null],
  );
  assert.deepEqual(page.lineItems[0], { name: 'Mug', quantity: 2, unitAmount: 1250, amount: 2500 });
  assert.equal(page.cards.length, TEST_CARDS.length);
  for (const secret of [session.id, shop.applicationId, 'customer-7'])
    assert.ok(!text.includes(secret), secret);
  await send(`${pagePath(session)}/payments`, payment());
  const paid = PayPage.parse(await (await tested.get(`${pagePath(session)}/session`)).json());
  assert.deepEqual([paid.status, paid.redirect], ['complete', THANKS]);
  for (const page of ['x', session.id, `${'A'.repeat(43)}`])
    assert.equal((await tested.get(`/pay/${page}/session`)).status, 404);
});

test('an invalid field of a payment is refused by its name, and no attempt is stored', async () => {
  const session = await shop.create();
  const path = `${pagePath(session)}/payments`;
  const card = (changes: Record<string, unknown>): Record<string, unknown> => {
    const sent = payment();
    return { ...sent, card: { ...(sent['card'] as object), ...changes } };
  };
  const bad: [string, Record<string, unknown>][] = [
    ...['4111111111111111', '4242 4242 4242 4242', '424242424242424', '', 4_242_424_242_424_242].map(
      (number): [string, Record<string, unknown>] => ['card.number', card({ number })],
    ),
    ...[0, 13, 1.5, '12', null].map((expiryMonth): [string, Record<string, unknown>] => [
      'card.expiryMonth',
      card({ expiryMonth }),
    ]),
    ...[2020, 26, 2100, '2030'].map((expiryYear): [string, Record<string, unknown>] => [
      'card.expiryYear',
      card({ expiryYear }),
    ]),
    ...['12', '12345', 'abc', '1234', 123].map((securityCode): [string, Record<string, unknown>] => [
      'card.securityCode',
      card({ securityCode }),
    ]),
    ['card.securityCode', card({ number: '378282246310005', securityCode: '123' })],
    ['card.name', card({ name: '' })],
    ['card.name', card({ name: 'x'.repeat(129) })],
    ['card.pin', card({ pin: '1' })],
    ['email', payment(SUCCESS, { email: 'ada' })],
    ['email', payment(SUCCESS, { email: `${'a'.repeat(250)}@example.com` })],
    ['country', payment(SUCCESS, { country: 'gb' })],
    ['country', payment(SUCCESS, { country: 'XX' })],
    ['attempt', payment(SUCCESS, { attempt: 'short' })],
    ['attempt', payment(SUCCESS, { attempt: undefined })],
    ['card', payment(SUCCESS, { card: null })],
  ];
  for (const [field, body] of bad) {
    const response = await tested.post(path, body);
    const { issues = [] } = (await response.json()) as Problem;
    assert.equal(response.status, 400, `${field} ${JSON.stringify(body)}`);
    assert.ok(
      issues.some((issue) => issue.path === field),
      `${field}: ${JSON.stringify(issues)}`,
    );
    assert.ok(!JSON.stringify(issues).includes('4111'), field);
  }
  const made = await tested.service.db
    .selectFrom('checkout_payments')
    .select('id')
    .where('session_id', '=', session.id)
    .execute();
  assert.equal(made.length, 0);
});

test('attempts per session are limited', async () => {
  const session = await shop.create();
  const path = `${pagePath(session)}/payments`;
  for (let made = 0; made < 30; made++)
    assert.match(await send(path, payment('4000000000000002')), /declined/);
  assert.match(await send(path, payment()), /^429 request\.rate-limited/);
});

test('no table and no log has card numbers, security codes or page URLs', async () => {
  const session = await shop.create();
  const page = pagePath(session).split('/').at(-1)!;
  const number = '5555555555554444';
  await send(`${pagePath(session)}/payments`, payment(number));
  await send(`${pagePath(session)}/nothing-here`, {});
  await tested.get(`/pay/${page}?card=${number}`);
  const { rows } = await tested.service.db
    .selectFrom('checkout_payments')
    .selectAll()
    .execute()
    .then((all) => ({ rows: JSON.stringify(all) }));
  const sessions = JSON.stringify(await shop.events(session.id));
  for (const text of [rows, sessions, tested.log.join('')]) {
    assert.ok(!text.includes(number), 'the number');
    assert.ok(!/securityCode|expiryYear/.test(text), 'the code');
  }
  assert.ok(!tested.log.join('').includes(page), 'the page’s URL');
});

test("the dashboard link shows the application's payments, once", async () => {
  const other = await openShop(tested);
  const name = '<b>Tea</b>';
  const foreign = await other.create();
  const session = await shop.create(
    order({
      line_items: [{ price_data: { product_data: { name }, unit_amount: 5, currency: 'EUR' }, quantity: 1 }],
    }),
  );
  await send(`${pagePath(session)}/payments`, payment('4000000000009995'));
  const { url } = (await (await tested.get('/test-dashboard', shop.headers)).json()) as { url: string };
  const follow = (): Promise<Response> => fetch(url, { redirect: 'manual' });
  const first = await follow();
  assert.equal(first.status, 303);
  const cookie = first.headers.get('set-cookie')!;
  assert.match(cookie, /; Path=\/test-dashboard; Max-Age=900; HttpOnly; SameSite=Lax$/);
  const list = (headers: Record<string, string>): Promise<Response> =>
    tested.get('/test-dashboard/payments', headers);
  const shown = await list({ Cookie: cookie.split(';')[0]! });
  assert.equal(shown.status, 200);
  assert.match(shown.headers.get('content-security-policy')!, /default-src 'none'/);
  const text = await shown.text();
  assert.ok(text.includes(session.id) && text.includes('0.05 EUR'));
  assert.ok(text.includes('declined: insufficient_funds') && text.includes('…9995'));
  assert.ok(!text.includes(foreign.id) && !text.includes('<script'));
  assert.equal((await follow()).status, 410);
  assert.equal((await list({})).status, 410);
  assert.equal((await list({ Cookie: `carabiner-dashboard=${url.split('/').at(-1)!}` })).status, 410);
  assert.ok(!tested.log.join('').includes(url.split('/').at(-1)!), 'the key of the link');
});

test('amounts have the decimals of their currency', () => {
  assert.deepEqual(
    [amountText(1250, 'EUR'), amountText(5, 'EUR'), amountText(1250, 'JPY'), amountText(1250, 'KWD')],
    ['12.50 EUR', '0.05 EUR', '1250 JPY', '1.250 KWD'],
  );
  assert.deepEqual(
    [
      stripeAmount(1250, 'EUR', 'amount'),
      stripeAmount(12, 'JPY', 'amount'),
      stripeAmount(12, 'ISK', 'amount'),
    ],
    [1250, 12, 1200],
  );
  assert.equal(amountText(1250, 'RSD'), '12.50 RSD');
  assert.equal(stripeAmount(1200, 'MGA', 'amount'), 12);
  for (const currency of ['BHD', 'JOD', 'KWD', 'OMR', 'TND']) {
    assert.equal(stripeAmount(1250, currency, 'amount'), 1250);
    assert.throws(() => stripeAmount(1251, currency, 'line_items.3'), /line_items\.3: must end in 0/);
  }
  assert.throws(() => stripeAmount(1250, 'MGA', 'line_items.3'), /line_items\.3: must be whole MGA/);
});

describe('an order that costs nothing', () => {
  const free = order({
    line_items: [
      {
        price_data: { product_data: { name: 'Trail sticker' }, unit_amount: 0, currency: 'EUR' },
        quantity: 1,
      },
    ],
  });
  const DONE = JSON.stringify({ state: 'paid', redirect: THANKS });

  test('is completed by one call, without a card, with one event and a receipt', async () => {
    const session = await shop.create(free);
    const path = pagePath(session);
    const page = PayPage.parse(await (await tested.get(`${path}/session`)).json());
    assert.deepEqual([page.amountTotal, page.cards, page.wallet], [0, [], null]);
    const answers = await Promise.all([1, 2, 3].map(() => send(`${path}/complete`, {})));
    assert.deepEqual([...answers, await send(`${path}/complete`, {})], [DONE, DONE, DONE, DONE]);
    const { status, payment_status, payment_intent, customer_details, receipt_url } = await shop.read(
      session.id,
    );
    assert.deepEqual([status, payment_status, payment_intent], ['complete', 'paid', null]);
    assert.equal(customer_details?.email, null);
    assert.ok(receipt_url);
    assert.deepEqual(await kinds(session.id), ['payment.succeeded null']);
    const receipt = await tested.get(`/checkout/sessions/${session.id}/receipt`, shop.headers);
    const { amountTotal, card, coins } = (await receipt.json()) as Receipt;
    assert.deepEqual([amountTotal, card, coins], [0, null, []]);
    const refund = await tested.post(
      `/checkout/sessions/${session.id}/refunds`,
      {},
      { ...shop.headers, 'Idempotency-Key': randomUUID() },
    );
    assert.match(await refund.text(), /checkout\.refund\.refused.*"unpaid"/);
  });

  test('is not completed once its time is over, and one that costs something never without a payment', async () => {
    const late = await shop.create(free);
    await letExpire(tested, late.id);
    assert.match(await send(`${pagePath(late)}/complete`, {}), /^409 checkout\.session\.expired/);
    assert.deepEqual(await kinds(late.id), ['payment.cancelled expired']);
    const session = await shop.create();
    assert.match(await send(`${pagePath(session)}/complete`, {}), /^409 request\.conflict/);
    assert.equal((await shop.read(session.id)).status, 'open');
    assert.deepEqual(await kinds(session.id), []);
  });
});
