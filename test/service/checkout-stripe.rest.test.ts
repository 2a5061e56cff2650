/** The payment provider `stripe` against a stand-in for its API: requests, failures and webhooks. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Problem } from '../../src/api/problem.ts';
import { stripeCheckout } from '../../service/checkout/providers/stripe/stripe-checkout.ts';
import type { StripeSettings } from '../../service/checkout/providers/stripe/stripe-settings.ts';
import {
  createSession,
  type SessionRequest,
  sessionStore,
} from '../../service/checkout/sessions/create-session.ts';
import { readSession } from '../../service/checkout/sessions/read-session.ts';
import { ConfigError, readConfig } from '../../service/config.ts';
import { HASTY_MS } from './limits.ts';
import { type TestedProvider, startStripe } from './checkout-providers.ts';
import { letExpire, openShop, order, type Shop, SUCCESS } from './checkout-setup.ts';
import type { Failure, StripeObject, StripeStandIn } from './stripe-stand-in.ts';

const ACCOUNT = 'acct_1Connected';
const accounts: Record<string, string> = {};
let provider: TestedProvider;
let standIn: StripeStandIn;
let shop: Shop;

before(async () => {
  const started = await startStripe(accounts);
  ({ standIn } = started);
  provider = started;
  shop = await openShop(provider.tested);
});
after(() => provider.close());
beforeEach(() => {
  standIn.held = undefined;
  standIn.down = false;
  standIn.requests.length = 0;
});

const kinds = async (id: string): Promise<string[]> =>
  (await shop.events(id)).map(({ type, data }) => `${type} ${data.reason}`);

async function create(body = order(), headers = {}): Promise<{ status: number; body: Problem }> {
  const response = await provider.tested.post('/checkout/sessions', body, { ...shop.headers, ...headers });
  return { status: response.status, body: (await response.json()) as never };
}

const stored = async (): Promise<number> =>
  (await provider.tested.service.db.selectFrom('checkout_sessions').select('id').execute()).length;

/** Collects the events of `work`; they reach the service only by `send`. */
async function heldEvents(work: () => Promise<unknown>): Promise<StripeObject[]> {
  standIn.held = [];
  await work();
  const { held } = standIn;
  standIn.held = undefined;
  return held;
}

test('Stripe gets the order, return URLs of ours and an idempotency key', async () => {
  const session = await shop.create(order({ customer: { id: 'customer-7' } }));
  const [request, ...others] = standIn.requests;
  assert.equal(others.length, 0);
  const form = request!.form as Record<string, unknown>;
  assert.equal(request!.key, session.id);
  assert.deepEqual(form['line_items'], [
    {
      price_data: { currency: 'eur', unit_amount: '1250', product_data: { name: 'Mug' } },
      quantity: '2',
    },
    {
      price_data: { currency: 'eur', unit_amount: '499', product_data: { name: 'Shipping' } },
      quantity: '1',
    },
  ]);
  assert.match(String(form['success_url']), /^http:\/\/localhost:\d+\/pay\/[\w-]{43}\/done$/);
  assert.match(String(form['cancel_url']), /\/pay\/[\w-]{43}\/cancelled$/);
  assert.equal(form['client_reference_id'], session.id);
  assert.deepEqual(form['metadata'], { carabiner_session: session.id, customer: 'customer-7' });
  assert.equal(session.url, [...standIn.sessions.values()].at(-1)!['url']);
  assert.notEqual(session.id, [...standIn.sessions.keys()].at(-1));
});

test('an application with its own Stripe account is paid there, and gets its dashboard', async () => {
  const own = await openShop(provider.tested);
  accounts[own.applicationId] = ACCOUNT;
  await own.create();
  const [{ form } = { form: {} }] = standIn.requests;
  const { payment_intent_data: data } = form as { payment_intent_data: Record<string, unknown> };
  assert.equal(data['on_behalf_of'], ACCOUNT);
  assert.deepEqual(data['transfer_data'], { destination: ACCOUNT });
  const dashboard = async (headers: Record<string, string>): Promise<string> =>
    ((await (await provider.tested.get('/stripe-dashboard', headers)).json()) as { url: string }).url;
  assert.equal(await dashboard(own.headers), `https://connect.stripe.com/express/${ACCOUNT}/once`);
  assert.equal(await dashboard(shop.headers), 'https://dashboard.stripe.com/test/payments');
});

test('Stripe’s failures are distinguished, and nothing is stored', async () => {
  const before = await stored();
  const cases: [Failure[], string][] = [
    [[402], '422 checkout.provider.refused'],
    [[409, 409, 409], '502 checkout.provider.unreachable'],
    [[429], '502 checkout.provider.unreachable'],
    [[500, 500, 500], '502 checkout.provider.unreachable'],
    [['reset', 'reset', 'reset'], '502 checkout.provider.unreachable'],
  ];
  for (const [failures, expected] of cases) {
    standIn.fail(...failures);
    const { status, body } = await create();
    assert.equal(`${status} ${body.code}`, expected, String(failures));
    assert.ok(!JSON.stringify(body).includes('sk_test'), String(failures));
  }
  assert.equal(await stored(), before);
});

test('a request that Stripe does not answer times out', async () => {
  const { config, service } = provider.tested;
  const settings = { ...(config.payments.settings as StripeSettings), timeoutMs: HASTY_MS };
  const impatient = stripeCheckout(service, settings).payments;
  const { id } = await shop.create();
  const session = await readSession(service.db, shop.applicationId, id);
  standIn.fail('hang', 'hang', 'hang');
  await assert.rejects(impatient.close(session), { code: 'checkout.provider.unreachable' });
  const before = await stored();
  standIn.fail('hang', 'hang', 'hang');
  const keyedRequest = { key: undefined } as SessionRequest['keyedRequest'];
  const body = order() as SessionRequest['body'];
  await assert.rejects(
    createSession(service.db, sessionStore(service.db), impatient, {
      applicationId: shop.applicationId,
      body,
      keyedRequest,
      minutes: 30,
      serviceUrl: provider.tested.url,
    }),
    { code: 'checkout.provider.unreachable' },
  );
  assert.equal(await stored(), before);
});

test('a refusal by Stripe passes on its message and the field', async () => {
  const tiny = {
    price_data: { product_data: { name: 'Pin' }, unit_amount: 1, currency: 'EUR' },
    quantity: 1,
  };
  const { status, body } = await create(order({ line_items: [tiny] }));
  assert.deepEqual([status, body.code], [422, 'checkout.provider.refused']);
  assert.match(body.detail, /must add up to at least 50/);
  assert.deepEqual(body.details, { param: 'line_items' });
  const ariary = {
    price_data: { product_data: { name: 'A' }, unit_amount: 12_345, currency: 'MGA' },
    quantity: 1,
  };
  const refused = await create(order({ line_items: [ariary] }));
  assert.equal(refused.body.issues![0]!.path, 'line_items.0.price_data.unit_amount');
});

test('a transient failure is retried with the same idempotency key, and creates one session', async () => {
  standIn.fail(500, 'reset');
  const count = standIn.sessions.size;
  const { status } = await create();
  assert.equal(status, 201);
  assert.equal(standIn.sessions.size, count + 1);
});

test('a webhook delivered twice counts once', async () => {
  const session = await shop.create();
  const [declined] = await heldEvents(() => provider.pay(session, '4000000000000069'));
  for (let time = 0; time < 3; time++) assert.equal((await standIn.send(declined!)).status, 200);
  const [completed] = await heldEvents(() => standIn.pay(session.url!, SUCCESS));
  const answers = await Promise.all(Array.from({ length: 5 }, () => standIn.send(completed!)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(await kinds(session.id), ['payment.declined expired_card', 'payment.succeeded null']);
});

test('webhooks out of order leave the session in the right state', async () => {
  const session = await shop.create();
  const events = await heldEvents(async () => {
    await standIn.pay(session.url!, '4000000000000002');
    await standIn.pay(session.url!, SUCCESS);
  });
  for (const event of events.reverse()) assert.equal((await standIn.send(event)).status, 200);
  const late = structuredClone(events.find(({ type }) => type === 'checkout.session.completed')!);
  const object = (late['data'] as { object: StripeObject }).object;
  Object.assign(object, { status: 'expired', payment_status: 'unpaid' });
  await standIn.send({ ...late, id: 'evt_late', type: 'checkout.session.expired' });
  assert.deepEqual(await kinds(session.id), ['payment.succeeded null']);
  assert.equal((await shop.read(session.id)).payment_status, 'paid');
});

test('a webhook with an invalid signature changes nothing', async () => {
  const session = await shop.create();
  const [completed] = await heldEvents(() => standIn.pay(session.url!, SUCCESS));
  const text = JSON.stringify(completed, null, 2);
  const responses = [
    await standIn.send(completed!, 'whsec_other'),
    await standIn.send(completed!, standIn.webhookSecret, text.replace('"paid"', '"paid "')),
    await standIn.send(completed!, standIn.webhookSecret, JSON.stringify(completed)),
    await provider.tested.post('/stripe-webhook', completed),
    await provider.tested.post('/stripe-webhook', completed, { 'Stripe-Signature': 't=1,v1=00' }),
    await fetch(`${provider.tested.url}/stripe-webhook`, { method: 'POST' }),
  ];
  for (const response of responses) {
    assert.equal(response.status, 400);
    const { issues } = (await response.json()) as Problem;
    assert.equal(issues![0]!.path, 'Stripe-Signature');
  }
  assert.deepEqual(await kinds(session.id), []);
});

test('webhooks for other sessions of the account are acknowledged and ignored', async () => {
  const session = await shop.create();
  const [completed] = await heldEvents(() => standIn.pay(session.url!, SUCCESS));
  const foreign = structuredClone(completed!);
  Object.assign((foreign['data'] as { object: StripeObject }).object, { id: 'cs_test_foreign' });
  assert.equal((await standIn.send(foreign)).status, 200);
  assert.equal((await standIn.send({ ...foreign, id: 'evt_x', type: 'customer.created' })).status, 200);
  assert.deepEqual(await kinds(session.id), []);
});

test('a lost webhook is made up for by the return URL and at expiry', async () => {
  const back = await shop.create();
  await heldEvents(async () => {
    assert.equal(await provider.pay(back, SUCCESS), 'https://shop.example/thanks?order=1');
  });
  assert.deepEqual(await kinds(back.id), ['payment.succeeded null']);
  const gone = await shop.create();
  await heldEvents(() => standIn.pay(gone.url!, SUCCESS));
  await letExpire(provider.tested, gone.id);
  assert.equal((await shop.read(gone.id)).status, 'complete');
  assert.deepEqual(await kinds(gone.id), ['payment.succeeded null']);
});

test('a customer who reaches the return URL unpaid is redirected to the page', async () => {
  const session = await shop.create();
  const { success_url } = [...standIn.sessions.values()].at(-1)!;
  const response = await fetch(provider.tested.url + new URL(String(success_url)).pathname, {
    redirect: 'manual',
  });
  assert.equal(response.headers.get('location'), session.url);
});

test('with late funds the session is complete first, and paid once they arrive', async () => {
  const paid = await shop.create();
  await standIn.pay(paid.url!, SUCCESS, { later: true });
  const waiting = await shop.read(paid.id);
  assert.deepEqual([waiting.status, waiting.payment_status], ['complete', 'unpaid']);
  assert.deepEqual(await kinds(paid.id), []);
  await standIn.arrive(paid.url!, true);
  await standIn.arrive(paid.url!, true);
  assert.deepEqual(await kinds(paid.id), ['payment.succeeded null']);
  assert.equal((await shop.read(paid.id)).payment_status, 'paid');
  const failed = await shop.create();
  await standIn.pay(failed.url!, SUCCESS, { later: true });
  await standIn.arrive(failed.url!, false);
  assert.deepEqual(await kinds(failed.id), ['payment.declined processing_error']);
});

test('a session that Stripe expires is expired', async () => {
  const session = await shop.create();
  await standIn.timeOut(session.url!);
  assert.equal((await shop.read(session.id)).status, 'expired');
  assert.deepEqual(await kinds(session.id), ['payment.cancelled expired']);
});

test('a session paid at the last moment does not expire', async () => {
  const session = await shop.create();
  const [completed] = await heldEvents(() => standIn.pay(session.url!, SUCCESS));
  assert.equal(await provider.cancel(session), 'https://shop.example/thanks?order=1');
  await standIn.send(completed!);
  assert.deepEqual(await kinds(session.id), ['payment.succeeded null']);
});

test('while Stripe is down, an open session is not reported as expired; it expires once Stripe is back', async () => {
  const session = await shop.create();
  standIn.down = true;
  await letExpire(provider.tested, session.id);
  const read = await provider.tested.get(`/checkout/sessions/${session.id}`, shop.headers);
  assert.equal(read.status, 502);
  standIn.down = false;
  assert.equal((await shop.read(session.id)).status, 'expired');
  const cancelled = await shop.create();
  standIn.down = true;
  assert.equal(await provider.cancel(cancelled), 'https://shop.example/cart');
  assert.deepEqual(await kinds(cancelled.id), []);
  standIn.down = false;
  assert.equal((await shop.read(cancelled.id)).status, 'expired');
  assert.deepEqual(await kinds(cancelled.id), ['payment.cancelled cancelled']);
});

test('Stripe’s settings are required and validated', () => {
  const problems = (env: Record<string, string>): string => {
    try {
      readConfig({ PAYMENT_PROVIDER: 'stripe', ...env });
      return '';
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.message;
    }
  };
  assert.match(problems({}), /needs STRIPE_SECRET_KEY_FILE and STRIPE_WEBHOOK_SECRET_FILE/);
  assert.match(problems({ CHECKOUT_MINUTES: '20' }), /at least 30/);
  assert.match(problems({ STRIPE_SECRET_KEY_FILE: '/nowhere' }), /STRIPE_SECRET_KEY_FILE cannot be used/);
  assert.match(problems({ STRIPE_ACCOUNTS: 'shop' }), /STRIPE_ACCOUNTS must be/);
  assert.match(problems({ PAYMENT_PROVIDER: 'paypal' }), /PAYMENT_PROVIDER must be stripe or test/);
});

test('no log has Stripe’s secrets', () => {
  const log = provider.tested.log.join('');
  for (const secret of [standIn.secretKey, standIn.webhookSecret]) assert.ok(!log.includes(secret));
});
