/** Lists of sessions, their metadata and reference, ending them, and receipts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { Receipt } from '../../src/api/receipt.ts';
import { startStripe, startTest, type TestedProvider } from './checkout-providers.ts';
import { letExpire, openShop, order, pagePath, payment, type Shop, SUCCESS } from './checkout-setup.ts';
import { DEADLINE_MS } from '../waiting.ts';
import { nextPage } from './harness.ts';
import { refundsOf } from './refunds-setup.ts';

let till: TestedProvider;
let shop: Shop;

before(async () => {
  till = await startTest();
  shop = await openShop(till.tested);
});
after(() => till?.close());

async function list(
  query = '',
  from = shop,
): Promise<{ ids: string[]; sessions: CheckoutSession[]; next: string | undefined }> {
  const response = await till.tested.get(`/checkout/sessions${query}`, from.headers);
  assert.equal(response.status, 200, await response.clone().text());
  const sessions = (await response.json()) as CheckoutSession[];
  const next = nextPage(response.headers);
  return { ids: sessions.map(({ id }) => id), sessions, next };
}

async function post(
  path: string,
  body: unknown,
  from = shop,
): Promise<{ status: number; body: CheckoutSession & { code: string; issues: { path: string }[] } }> {
  const response = await till.tested.post(path, body, from.headers);
  return { status: response.status, body: (await response.json()) as never };
}

const expire = (id: string, from = shop) => post(`/checkout/sessions/${id}/expire`, {}, from);

test('metadata and the reference come back, also in events', async () => {
  const given = {
    client_reference_id: 'A-1042',
    metadata: { channel: 'web', 'gift note': 'Zum\nGeburtstag 🎁', '': undefined },
  };
  const session = await shop.create(order(given));
  assert.equal(session.client_reference_id, 'A-1042');
  assert.deepEqual(session.metadata, { channel: 'web', 'gift note': 'Zum\nGeburtstag 🎁' });
  await till.pay(session, SUCCESS);
  const [event] = await shop.events(session.id);
  assert.equal(event!.data.session.client_reference_id, 'A-1042');
  assert.deepEqual(event!.data.session.metadata, session.metadata);
  const bare = await shop.create(order({ client_reference_id: null, metadata: null }));
  assert.deepEqual([bare.client_reference_id, bare.metadata], [null, {}]);
});

test('metadata and the reference have limits, and are text', async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, 'x'.repeat(500)]));
  assert.deepEqual((await shop.create(order({ metadata: many }))).metadata, many);
  for (const [changes, path] of [
    [{ metadata: { ...many, more: '' } }, 'metadata'],
    [{ metadata: { ['k'.repeat(41)]: '' } }, `metadata.${'k'.repeat(41)}`],
    [{ metadata: { key: 'x'.repeat(501) } }, 'metadata.key'],
    [{ metadata: { key: 1 } }, 'metadata.key'],
    [{ metadata: { key: null } }, 'metadata.key'],
    [{ metadata: { key: { a: 'b' } } }, 'metadata.key'],
    [{ metadata: { key: '\0' } }, 'metadata.key'],
    [{ metadata: ['a'] }, 'metadata'],
    [{ client_reference_id: 'x'.repeat(201) }, 'client_reference_id'],
    [{ client_reference_id: '' }, 'client_reference_id'],
    [{ client_reference_id: 7 }, 'client_reference_id'],
  ] as const) {
    const { status, body } = await post('/checkout/sessions', order(changes));
    assert.deepEqual([status, body.issues?.[0]?.path], [400, path], JSON.stringify(changes).slice(0, 80));
  }
});

test('sessions are listed newest first, page by page, and by what they are', async () => {
  const own = await openShop(till.tested);
  const made: CheckoutSession[] = [];
  for (let i = 0; i < 5; i++) made.push(await own.create(order({ client_reference_id: `order-${i % 2}` })));
  const ids = made.map(({ id }) => id).reverse();
  assert.deepEqual((await list('', own)).ids, ids);
  assert.deepEqual((await list('', own)).sessions[4], made[0]);
  const first = await list('?limit=2', own);
  const second = await list(first.next, own);
  const third = await list(second.next, own);
  assert.deepEqual([...first.ids, ...second.ids, ...third.ids], ids);
  assert.equal(third.next, undefined);

  await till.pay(made[0]!, SUCCESS);
  await expire(made[1]!.id, own);
  const of = async (query: string): Promise<string[]> => (await list(query, own)).ids;
  assert.deepEqual(await of('?status=complete'), [made[0]!.id]);
  assert.deepEqual(await of('?payment_status=paid'), [made[0]!.id]);
  assert.deepEqual(await of('?status=expired&payment_status=unpaid'), [made[1]!.id]);
  assert.deepEqual(await of('?status=open'), ids.slice(0, 3));
  assert.deepEqual(await of('?client_reference_id=order-1'), [made[3]!.id, made[1]!.id]);
  assert.deepEqual(await of('?client_reference_id=order'), []);
  const { db } = till.tested.service;
  await sql`update checkout_sessions set created_at = '2026-01-31T09:05:12Z' where id = ${made[0]!.id}`.execute(
    db,
  );
  assert.deepEqual(await of('?created_before=2026-01-31T09:05:13Z'), [made[0]!.id]);
  assert.deepEqual(await of('?created_before=2026-01-31T09:05:12Z'), []);
  assert.deepEqual(await of('?created_after=2026-01-31T09:05:12Z'), ids.slice(0, 4));
  assert.deepEqual((await list('', await openShop(till.tested))).ids, []);
  for (const query of [
    'status=paid',
    'created_after=yesterday',
    'limit=0',
    'sort=id',
    'cursor=x',
    `cursor=${new URLSearchParams(first.next).get('cursor')}&status=open`,
  ]) {
    const { status } = await till.tested.get(`/checkout/sessions?${query}`, own.headers);
    assert.equal(status, 400, query);
  }
});

test('a shop ends an open session, and nobody can pay it any more', async () => {
  const session = await shop.create();
  const { status, body } = await expire(session.id);
  assert.deepEqual([status, body.status, body.payment_status, body.url], [200, 'expired', 'unpaid', null]);
  assert.deepEqual(
    (await shop.events(session.id)).map(({ type, data }) => `${type} ${data.reason}`),
    ['payment.cancelled expired'],
  );
  const tried = await post(`${pagePath(session)}/payments`, payment());
  assert.equal(tried.body.code, 'checkout.session.expired');
  const page = (await (await till.tested.get(`${pagePath(session)}/session`)).json()) as {
    cancelled: boolean;
  };
  assert.equal(page.cancelled, false, 'the customer did not go back');
  // Again it is the same, without another event.
  assert.equal((await expire(session.id)).status, 200);
  assert.equal((await shop.events(session.id)).length, 1);
  assert.equal((await expire(session.id, await openShop(till.tested))).body.code, 'checkout.session.unknown');
});

test('a session that is paid cannot be ended, however close it was', async () => {
  const session = await shop.create();
  const results = await Promise.all([till.pay(session, SUCCESS).catch(() => undefined), expire(session.id)]);
  const now = await shop.read(session.id);
  const { length } = await shop.events(session.id);
  assert.equal(length, 1);
  if (now.payment_status === 'paid') assert.equal(results[1].body.code, 'checkout.session.complete');
  else assert.deepEqual([results[0], results[1].status], [undefined, 200]);
});

test('with Stripe the session ends there, or was paid there at the last moment', async () => {
  const stripe = await startStripe();
  try {
    const own = await openShop(stripe.tested);
    const end = async ({ id }: CheckoutSession) => {
      const answer = await stripe.tested.post(`/checkout/sessions/${id}/expire`, {}, own.headers);
      return ((await answer.json()) as { code?: string; status: unknown }).code ?? answer.status;
    };
    const [open, paid, later] = [await own.create(), await own.create(), await own.create()];
    assert.equal(await end(open), 200);
    assert.ok([...stripe.standIn.sessions.values()].some(({ status }) => status === 'expired'));
    stripe.standIn.held = [];
    await stripe.standIn.pay(paid.url!, SUCCESS);
    assert.equal(await end(paid), 'checkout.session.complete');
    assert.equal((await own.read(paid.id)).payment_status, 'paid');
    stripe.standIn.down = true;
    assert.equal(await end(later), 'checkout.provider.unreachable');
    stripe.standIn.down = false;
    assert.equal(await end(later), 200);
    const receipt = await fetch((await own.read(paid.id)).receipt_url!.replace('?receipt', '/receipt'));
    assert.equal(receipt.status, 200, await receipt.text());
  } finally {
    await stripe.close();
  }
});

test('a paid session has a receipt with number and date, at an address that nobody guesses', async () => {
  const session = await shop.create(order({ client_reference_id: 'A-7', customer: { id: 'customer-7' } }));
  const { pathname } = new URL(session.url!);
  assert.equal(session.receipt_url, null);
  assert.equal((await till.tested.get(`${pathname}/receipt`)).status, 404);
  assert.equal((await till.tested.get(`/checkout/sessions/${session.id}/receipt`, shop.headers)).status, 404);
  await till.pay(session, SUCCESS);
  const { receipt_url: url } = await shop.read(session.id);
  assert.equal(url, `${till.tested.url}${pathname}?receipt`);
  assert.match(url!, /\/pay\/[\w-]{43}\?receipt$/);
  await till.tested.service.db
    .updateTable('clients')
    .set({ merchant: 'Mug Shop Ltd' })
    .where('id', '=', shop.applicationId)
    .execute();
  const refund = await refundsOf(till.tested, () => shop.headers).make(session.id, { amount: 499 });
  const text = await (await till.tested.get(`${pathname}/receipt`)).text();
  const receipt = JSON.parse(text) as Receipt;
  const { number, paidAt, refunds, ...rest } = receipt;
  assert.match(number, /^\d{8}-[0-9A-HJKMNP-TV-Z]{8}$/);
  assert.equal(number.slice(0, 8), new Date(paidAt).toISOString().slice(0, 10).replaceAll('-', ''));
  assert.ok(Math.abs(Date.now() - paidAt) < DEADLINE_MS);
  assert.deepEqual(rest, {
    merchant: 'Mug Shop Ltd',
    merchantVerified: true,
    reference: 'A-7',
    livemode: false,
    lineItems: [
      { name: 'Mug', quantity: 2, unitAmount: 1250, amount: 2500 },
      { name: 'Shipping', quantity: 1, unitAmount: 499, amount: 499 },
    ],
    currency: 'EUR',
    amountTotal: 2999,
    card: { brand: 'visa', last4: '4242' },
    coins: [],
    branding: null,
  });
  assert.deepEqual(
    refunds.map(({ status, amount, coins }) => [status, amount, coins]),
    [['succeeded', 499, null]],
  );
  assert.equal(refund.status, 'succeeded');
  // Whoever has the address sees no customer, and nothing that opens more.
  for (const secret of ['Ada', 'ada@example.com', 'customer-7', session.id, shop.applicationId])
    assert.ok(!text.includes(secret), secret);
  const own = await till.tested.get(`/checkout/sessions/${session.id}/receipt`, shop.headers);
  assert.deepEqual(await own.json(), receipt);
  assert.equal((await till.tested.get(`/pay/${'x'.repeat(43)}/receipt`)).status, 404);
  assert.ok(!till.tested.log.join('').includes(pathname), 'the address of the receipt is in the log');
});

test('a session that its time ends still says so', async () => {
  const session = await shop.create();
  await letExpire(till.tested, session.id);
  assert.equal((await expire(session.id)).body.status, 'expired');
});
