/** Checkout sessions, the same with every payment provider. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { sweep } from '../../service/checkout/sessions/expiry.ts';
import { letExpire, openShop, order, type Shop, SUCCESS } from './checkout-setup.ts';
import { type TestedProvider, startStripe, startTest } from './checkout-providers.ts';

const DECLINED = '4000000000009995';

/** Always null. */
const NULLABLE =
  'after_expiration, allow_promotion_codes, billing_address_collection, client_reference_id, consent, consent_collection, currency_conversion, customer, customer_email, invoice, locale, payment_link, recovered_from, setup_intent, shipping_address_collection, shipping_cost, shipping_details, submit_type, subscription'.split(
    ', ',
  );
type Check = (value: unknown, session: CheckoutSession) => boolean;
const isText: Check = (value) => typeof value === 'string' && value.length > 0;
const isWhole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextOrNull: Check = (value) => value === null || typeof value === 'string';
const is =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const fields =
  (checks: Record<string, Check>): Check =>
  (value, session) =>
    isObject(value, session) &&
    Object.keys(value as object)
      .sort()
      .join() === Object.keys(checks).sort().join() &&
    Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name], session));
const paidOnly =
  (check: Check): Check =>
  (value, session) =>
    session.status === 'complete' ? check(value, session) : value === null;

const FIELDS: Record<string, Check> = {
  id: (value) => /^cs_test_[\w-]{43}$/.test(String(value)),
  object: is('checkout.session'),
  ...Object.fromEntries(NULLABLE.map((name) => [name, is(null)])),
  customer: isTextOrNull,
  amount_subtotal: isWhole,
  amount_total: isWhole,
  automatic_tax: fields({ enabled: is(false), status: is(null) }),
  cancel_url: isText,
  success_url: isText,
  created: isWhole,
  expires_at: isWhole,
  currency: (value) => /^[a-z]{3}$/.test(String(value)),
  custom_fields: Array.isArray,
  custom_text: fields({ shipping_address: is(null), submit: is(null) }),
  customer_creation: is('if_required'),
  customer_details: paidOnly(
    fields({
      address: fields({
        city: isTextOrNull,
        country: isText,
        line1: isTextOrNull,
        line2: isTextOrNull,
        postal_code: isTextOrNull,
        state: isTextOrNull,
      }),
      email: isText,
      name: isText,
      phone: isTextOrNull,
      tax_exempt: isText,
      tax_ids: Array.isArray,
    }),
  ),
  invoice_creation: fields({
    enabled: is(false),
    invoice_data: fields({
      account_tax_ids: is(null),
      custom_fields: is(null),
      description: is(null),
      footer: is(null),
      metadata: isObject,
      rendering_options: is(null),
    }),
  }),
  livemode: is(false),
  metadata: isObject,
  mode: is('payment'),
  payment_intent: paidOnly((value) => /^pi_\w+$/.test(String(value))),
  payment_method_collection: is('always'),
  payment_method_options: isObject,
  payment_method_types: (value) => JSON.stringify(value) === '["card"]',
  payment_status: is('paid', 'unpaid'),
  phone_number_collection: fields({ enabled: is(false) }),
  receipt_url: paidOnly((value) => URL.canParse(String(value))),
  refunded: is('none'),
  shipping_options: Array.isArray,
  status: is('open', 'complete', 'expired'),
  total_details: fields({ amount_discount: is(0), amount_shipping: is(0), amount_tax: is(0) }),
  wallet_payment: is(null),
  url: (value, session) => (session.status === 'open' ? URL.canParse(String(value)) : value === null),
};

function assertForm(session: CheckoutSession): void {
  assert.deepEqual(Object.keys(session).sort(), Object.keys(FIELDS).sort());
  for (const [name, check] of Object.entries(FIELDS))
    assert.ok(
      check(session[name as keyof CheckoutSession], session),
      `${name}: ${JSON.stringify(session[name as keyof CheckoutSession])}`,
    );
}

for (const [name, start] of [
  ['test', () => startTest()],
  ['stripe', () => startStripe()],
] as const)
  describe(`with the payment provider ${name}`, () => {
    let provider: TestedProvider;
    let shop: Shop;
    before(async () => {
      provider = await start();
      shop = await openShop(provider.tested);
    });
    after(() => provider.close());

    const kinds = async (id: string): Promise<string[]> =>
      (await shop.events(id)).map(
        ({ type, data }) => `${data.sequence} ${type}${data.reason ? ` ${data.reason}` : ''}`,
      );

    test('a new session has every field of the interface, and is read back unchanged', async () => {
      const session = await shop.create(order({ customer: { id: 'customer-7' } }));
      assertForm(session);
      assert.deepEqual(
        [session.status, session.payment_status, session.amount_total, session.currency, session.customer],
        ['open', 'unpaid', 2999, 'eur', 'customer-7'],
      );
      assert.equal(session.amount_subtotal, 2999);
      const minutes = (session.expires_at - session.created) / 60;
      assert.ok(minutes >= 29.9 && minutes <= 31.1, String(minutes));
      assert.deepEqual(await shop.read(session.id), session);
      assert.deepEqual(await kinds(session.id), []);
    });

    test('sessions created at the same time are each stored as their own', async () => {
      const sessions = await Promise.all(
        Array.from({ length: 12 }, (_, n) => shop.create(order({ customer: { id: `customer-${n}` } }))),
      );
      for (const [n, session] of sessions.entries()) {
        assert.equal(session.customer, `customer-${n}`);
        assert.deepEqual(await shop.read(session.id), session);
      }
    });

    test('a session without a customer has null there', async () => {
      assert.equal((await shop.create()).customer, null);
    });

    test('a payment completes the session, redirects the customer, and is one event', async () => {
      const session = await shop.create();
      assert.equal(await provider.pay(session, SUCCESS), 'https://shop.example/thanks?order=1');
      const paid = await shop.read(session.id);
      assertForm(paid);
      assert.deepEqual([paid.status, paid.payment_status, paid.url], ['complete', 'paid', null]);
      assert.equal(paid.customer_details!.email, 'ada@example.com');
      assert.equal(paid.customer_details!.address.country, 'GB');
      const [event, ...others] = await shop.events(session.id);
      assert.equal(others.length, 0);
      assert.equal(event!.type, 'payment.succeeded');
      assert.deepEqual(event!.data, { sequence: 1, session: paid, reason: null });
    });

    test('a declined card is an event, and another card may pay', async () => {
      const session = await shop.create();
      assert.equal(await provider.pay(session, DECLINED), undefined);
      assert.equal((await shop.read(session.id)).status, 'open');
      assert.ok(await provider.pay(session, SUCCESS));
      assert.deepEqual(await kinds(session.id), [
        '1 payment.declined insufficient_funds',
        '2 payment.succeeded',
      ]);
    });

    test('a customer who goes back ends the session, once', async () => {
      const session = await shop.create();
      assert.equal(await provider.cancel(session), 'https://shop.example/cart');
      assert.equal(await provider.cancel(session), 'https://shop.example/cart');
      const ended = await shop.read(session.id);
      assertForm(ended);
      assert.deepEqual([ended.status, ended.payment_status], ['expired', 'unpaid']);
      assert.deepEqual(await kinds(session.id), ['1 payment.cancelled cancelled']);
    });

    test('going back after the payment redirects as the payment does', async () => {
      const session = await shop.create();
      await provider.pay(session, SUCCESS);
      assert.equal(await provider.cancel(session), 'https://shop.example/thanks?order=1');
      assert.deepEqual(await kinds(session.id), ['1 payment.succeeded']);
    });

    test('a session read after its expiry is expired', async () => {
      const session = await shop.create();
      await letExpire(provider.tested, session.id);
      const [first, second] = await Promise.all([shop.read(session.id), shop.read(session.id)]);
      assertForm(first);
      assert.deepEqual([first.status, second.status], ['expired', 'expired']);
      assert.deepEqual(await kinds(session.id), ['1 payment.cancelled expired']);
    });

    test('the sweep expires sessions that nobody reads, with an event each', async () => {
      const sessions = await Promise.all([shop.create(), shop.create(), shop.create()]);
      await Promise.all(sessions.map(({ id }) => letExpire(provider.tested, id)));
      const { db, payments } = provider.tested.service;
      await Promise.all([sweep(db, payments, console), sweep(db, payments, console)]);
      for (const { id } of sessions) assert.deepEqual(await kinds(id), ['1 payment.cancelled expired']);
    });

    test('an Idempotency-Key creates one session, however often and concurrently it is sent', async () => {
      const key = `order-${name}-1`;
      const first = await shop.create(order(), key);
      assert.equal((await shop.create(order(), key)).id, first.id);
      const other = await provider.tested.post(
        '/checkout/sessions',
        order({ cancel_url: 'https://b.example' }),
        {
          ...shop.headers,
          'Idempotency-Key': key,
        },
      );
      assert.equal(other.status, 409);
      const many = await Promise.all(
        Array.from({ length: 8 }, () => shop.create(order(), `order-${name}-2`)),
      );
      assert.equal(new Set(many.map(({ id }) => id)).size, 1);
      assert.notEqual(many[0]!.id, first.id);
      const otherShop = await openShop(provider.tested);
      assert.notEqual((await otherShop.create(order(), key)).id, first.id);
    });

    test('the session id replaces its placeholder in return URLs', async () => {
      const success_url = 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}';
      const session = await shop.create(order({ success_url }));
      assert.equal(session.success_url, success_url);
      assert.equal(await provider.pay(session, SUCCESS), `https://shop.example/thanks?session=${session.id}`);
      const encoded = await shop.create(
        order({ success_url: new URL(success_url.replace('{', '%7B').replace('}', '%7D')).href }),
      );
      assert.equal(await provider.pay(encoded, SUCCESS), `https://shop.example/thanks?session=${encoded.id}`);
    });

    test('a session with a total of 0 completes without a charge', async () => {
      const item = {
        price_data: { product_data: { name: 'Gift' }, unit_amount: 0, currency: 'EUR' },
        quantity: 1,
      };
      const session = await shop.create(order({ line_items: [item] }));
      assert.ok(await provider.pay(session, SUCCESS));
      const paid = await shop.read(session.id);
      assert.deepEqual([paid.status, paid.payment_status, paid.amount_total], ['complete', 'paid', 0]);
    });

    test('the dashboard link has all three fields', async () => {
      const response = await provider.tested.get(`/${name}-dashboard`, shop.headers);
      assert.equal(response.status, 200);
      const link = (await response.json()) as Record<string, unknown>;
      assert.deepEqual(Object.keys(link).sort(), ['created', 'object', 'url']);
      assert.equal(link['object'], 'login_link');
      assert.ok(Number.isInteger(link['created']), String(link['created']));
      assert.ok(Math.abs(Number(link['created']) - Date.now() / 1000) < 60);
      assert.ok(URL.canParse(String(link['url'])));
      const other = await provider.tested.get(
        `/${name === 'test' ? 'stripe' : 'test'}-dashboard`,
        shop.headers,
      );
      assert.equal(other.status, 404);
    });
  });
