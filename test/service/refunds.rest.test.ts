/** Refunds of card payments: never more than was paid, and never twice, whatever the provider answers. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { Refund } from '../../src/api/refund.ts';
import { poll } from '../waiting.ts';
import { startStripe, startTest, type TestedProvider } from './checkout-providers.ts';
import { openShop, order, type Shop, SUCCESS } from './checkout-setup.ts';
import { type Refunds, refundsOf, SOON } from './refunds-setup.ts';
import type { StripeStandIn } from './stripe-stand-in.ts';

const ACCOUNT = 'acct_1Connected';
const accounts: Record<string, string> = {};
let till: TestedProvider;
let stripe: TestedProvider & { standIn: StripeStandIn };
let shop: Shop;
let stripeShop: Shop;
let refunds: Refunds;
let stripeRefunds: Refunds;

before(async () => {
  till = await startTest();
  shop = await openShop(till.tested);
  refunds = refundsOf(till.tested, () => shop.headers);
  stripe = await startStripe(accounts, {}, { refunds: SOON });
  stripeShop = await openShop(stripe.tested);
  stripeRefunds = refundsOf(stripe.tested, () => stripeShop.headers);
});
after(async () => {
  await till?.close();
  await stripe?.close();
});
beforeEach(() => {
  stripe.standIn.refundStatus = 'succeeded';
  stripe.standIn.down = false;
  stripe.standIn.held = undefined;
});

async function sold(at = till, from = shop, body = order()): Promise<CheckoutSession> {
  const session = await from.create(body);
  await at.pay(session, SUCCESS);
  return from.read(session.id);
}

const soldByStripe = (): Promise<CheckoutSession> => sold(stripe, stripeShop);

const eventsOf = async (from: Shop, { id }: CheckoutSession): Promise<string[]> =>
  (await from.events(id)).map(({ type, data }) => `${type} ${data.reason}`);

test('a card payment goes back in full, and the shop hears of it', async () => {
  const session = await sold();
  assert.equal(session.refunded, 'none');
  const refund = await refunds.make(session.id, { note: 'Broken on arrival' });
  const { id, created: _, ...rest } = refund;
  assert.match(id, /^re_[0-9a-f]{24}$/);
  assert.deepEqual(rest, {
    object: 'refund',
    session: session.id,
    payment: session.payment_intent,
    method: 'card',
    status: 'succeeded',
    failure_reason: null,
    note: 'Broken on arrival',
    amount: 2999,
    currency: 'eur',
    wallet: null,
  });
  const now = await shop.read(session.id);
  assert.deepEqual([now.refunded, now.payment_status, now.status], ['fully', 'paid', 'complete']);
  const event = (await shop.events(session.id)).at(-1)!;
  assert.deepEqual([event.type, event.data.reason, event.data.sequence], ['refund.succeeded', null, 2]);
  assert.deepEqual(event.data.refund, refund);
  assert.deepEqual(event.data.session, now);
  assert.deepEqual(await refunds.list(session.id), [refund]);
});

test('parts go back until nothing is left', async () => {
  const session = await sold();
  await refunds.make(session.id, { amount: 1000 });
  assert.equal((await shop.read(session.id)).refunded, 'partly');
  const more = await refunds.ask(session.id, { amount: 2000 });
  assert.equal(more.outcome, '409 checkout.refund.refused');
  assert.deepEqual(more.body.details, { reason: 'amount', refundable: 1999 });
  assert.equal((await refunds.make(session.id)).amount, 1999);
  assert.equal((await shop.read(session.id)).refunded, 'fully');
  const nothing = await refunds.ask(session.id);
  assert.deepEqual(nothing.body.details, { reason: 'amount', refundable: 0 });
  assert.deepEqual(
    (await refunds.list(session.id)).map(({ amount }) => amount),
    [1999, 1000],
  );
  assert.deepEqual(await refunds.list(session.id, '?status=failed'), []);
});

test('20 refunds at once give back no more than was paid', async () => {
  const session = await sold();
  const all = await Promise.all(Array.from({ length: 20 }, () => refunds.ask(session.id, { amount: 1000 })));
  assert.equal(all.filter(({ outcome }) => outcome === '201').length, 2);
  const sum = (await refunds.list(session.id)).reduce((total, { amount }) => total + amount!, 0);
  assert.equal(sum, 2000);
});

test('a repeated request is the same refund, and its key is good for no other', async () => {
  const session = await sold();
  const body = { amount: 1000 };
  const [one, ...copies] = await Promise.all(
    Array.from({ length: 5 }, () => refunds.make(session.id, body, 'order-1')),
  );
  for (const copy of [...copies, await refunds.make(session.id, body, 'order-1')])
    assert.deepEqual(copy, one);
  assert.equal((await refunds.list(session.id)).length, 1);
  assert.equal((await refunds.ask(session.id, { amount: 1001 }, 'order-1')).outcome, '409 request.conflict');
  const other = await sold();
  assert.equal((await refunds.ask(other.id, body, 'order-1')).outcome, '409 request.conflict');
  const bare = await till.tested.post(`/checkout/sessions/${session.id}/refunds`, body, shop.headers);
  assert.equal(bare.status, 400);
});

test('what is not paid, not there or not the shop’s cannot be refunded', async () => {
  const open = await shop.create();
  const unpaid = await refunds.ask(open.id);
  assert.deepEqual(
    [unpaid.outcome, unpaid.body.details],
    ['409 checkout.refund.refused', { reason: 'unpaid' }],
  );
  const free = {
    price_data: { product_data: { name: 'Gift' }, unit_amount: 0, currency: 'EUR' },
    quantity: 1,
  };
  const gift = await sold(till, shop, order({ line_items: [free] }));
  assert.equal((await refunds.ask(gift.id)).outcome, '409 checkout.refund.refused');
  const session = await sold();
  for (const [body, path] of [
    [{ amount: 0 }, 'amount'],
    [{ amount: 10.5 }, 'amount'],
    [{ amount: '10' }, 'amount'],
    [{ payment: 'pi_0' }, 'payment'],
    [{ to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' }, 'to'],
    [{ walletId: 'w' }, 'walletId'],
    [{ pincode: '739154' }, 'pincode'],
    [{ price: 1 }, 'price'],
  ] as const) {
    const { outcome, body: refused } = await refunds.ask(session.id, body);
    assert.equal(outcome, '400 request.invalid', JSON.stringify(body));
    assert.equal(refused.issues[0]!.path, path);
  }
  const others = refundsOf(till.tested, () => stranger.headers);
  const stranger = await openShop(till.tested);
  assert.equal((await others.ask(session.id)).outcome, '404 checkout.session.unknown');
  const { id } = await refunds.make(session.id, { amount: 1 });
  for (const [path, headers, code] of [
    [`${session.id}/refunds/re_0`, shop.headers, 'request.not-found'],
    [`${open.id}/refunds/${id}`, shop.headers, 'request.not-found'],
    [`${session.id}/refunds/${id}`, stranger.headers, 'checkout.session.unknown'],
    [`${session.id}/refunds`, stranger.headers, 'checkout.session.unknown'],
  ] as const) {
    const response = await till.tested.get(`/checkout/sessions/${path}`, headers);
    assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [404, code]);
  }
  await till.tested.service.db
    .updateTable('checkout_sessions')
    .set({ provider: 'former' } as never)
    .where('id', '=', session.id)
    .execute();
  const elsewhere = await refunds.ask(session.id, { amount: 1 });
  assert.deepEqual(elsewhere.body.details, { reason: 'provider' });
});

test('Stripe gets the amount, our ids and an idempotency key', async () => {
  const session = await soldByStripe();
  stripe.standIn.requests.length = 0;
  const refund = await stripeRefunds.make(session.id, { amount: 1234 });
  assert.equal(refund.status, 'succeeded');
  const [request, ...others] = stripe.standIn.requests;
  assert.deepEqual(others, []);
  assert.equal(request!.key, refund.id);
  assert.deepEqual(request!.form, {
    payment_intent: session.payment_intent,
    amount: '1234',
    metadata: { carabiner_refund: refund.id, carabiner_session: session.id },
  });
  accounts[stripeShop.applicationId] = ACCOUNT;
  await stripeRefunds.make(session.id, { amount: 1 });
  delete accounts[stripeShop.applicationId];
  assert.equal((stripe.standIn.requests.at(-1)!.form as Record<string, string>)['reverse_transfer'], 'true');
});

test('a refund that Stripe refuses has failed, and its amount can be refunded again', async () => {
  const session = await soldByStripe();
  // Refunded in Stripe’s dashboard.
  stripe.standIn.sessions.forEach((each) => {
    if (each['payment_intent'] === session.payment_intent) each['amount_total'] = 1000;
  });
  const refund = await stripeRefunds.make(session.id, {}, 'too-much');
  assert.equal(refund.status, 'failed');
  assert.match(refund.failure_reason!, /greater than unrefunded amount/);
  assert.deepEqual(await stripeRefunds.make(session.id, {}, 'too-much'), refund);
  assert.equal((await stripeRefunds.make(session.id, { amount: 1000 })).status, 'succeeded');
  assert.deepEqual(await eventsOf(stripeShop, session), [
    'payment.succeeded null',
    `refund.failed ${refund.failure_reason}`,
    'refund.succeeded null',
  ]);
  assert.equal((await stripeShop.read(session.id)).refunded, 'partly');
});

test('an answer of Stripe that is lost makes no second refund', async () => {
  const session = await soldByStripe();
  // It takes the request, and the answers to it and to the retries are lost.
  const { standIn } = stripe;
  const before = standIn.refunds.length;
  standIn.loseAnswers(3);
  const refund = await stripeRefunds.make(session.id, {}, 'lost');
  assert.equal(refund.status, 'pending');
  assert.equal((await stripeRefunds.settled(refund)).status, 'succeeded');
  assert.equal(standIn.refunds.length, before + 1);
  assert.equal((await stripeRefunds.make(session.id, {}, 'lost')).status, 'succeeded');
  assert.deepEqual(await eventsOf(stripeShop, session), ['payment.succeeded null', 'refund.succeeded null']);
});

test('a day later, when Stripe has forgotten the key, the refund is found and not made again', async () => {
  const session = await soldByStripe();
  const { standIn } = stripe;
  standIn.loseAnswers(3);
  const before = standIn.refunds.length;
  const refund = await stripeRefunds.make(session.id);
  standIn.forgetKeys();
  assert.equal((await stripeRefunds.settled(refund)).status, 'succeeded');
  assert.equal(standIn.refunds.length, before + 1);
});

test('while Stripe is down a refund is pending, and what is left counts it', async () => {
  const session = await soldByStripe();
  stripe.standIn.down = true;
  const refund = await stripeRefunds.make(session.id, { amount: 2000 });
  assert.equal(refund.status, 'pending');
  assert.deepEqual((await stripeRefunds.ask(session.id, { amount: 1000 })).body.details, {
    reason: 'amount',
    refundable: 999,
  });
  stripe.standIn.down = false;
  assert.equal((await stripeRefunds.settled(refund)).status, 'succeeded');
});

test('a refund that the bank decides later follows Stripe’s news, and a lost webhook is made up for', async () => {
  const session = await soldByStripe();
  stripe.standIn.refundStatus = 'pending';
  const [first, second, third] = await Promise.all(
    [1, 2, 3].map((amount) => stripeRefunds.make(session.id, { amount })),
  );
  const atStripe = (refund: Refund | undefined): string =>
    stripe.standIn.refunds.find(({ metadata }) => metadata?.['carabiner_refund'] === refund!.id)!.id;
  await stripe.standIn.settleRefund(atStripe(first), 'succeeded');
  await stripe.standIn.settleRefund(atStripe(second), 'failed', 'expired_or_canceled_card');
  stripe.standIn.held = [];
  await stripe.standIn.settleRefund(atStripe(third), 'canceled');
  assert.equal((await stripeRefunds.settled(first!)).status, 'succeeded');
  assert.equal((await stripeRefunds.settled(second!)).failure_reason, 'expired_or_canceled_card');
  assert.equal((await stripeRefunds.settled(third!)).failure_reason, 'canceled');
  assert.equal((await stripeShop.read(session.id)).refunded, 'partly');

  // The bank sends back what had succeeded.
  stripe.standIn.held = undefined;
  await stripe.standIn.settleRefund(atStripe(first), 'failed', 'lost_or_stolen_card');
  const [event] = (await stripeShop.events(session.id)).slice(-1);
  assert.deepEqual([event!.type, event!.data.reason], ['refund.failed', 'lost_or_stolen_card']);
  assert.equal((await stripeShop.read(session.id)).refunded, 'none');
  assert.equal((await stripeRefunds.make(session.id)).amount, 2999);
});

test('a refund whose process ended before it asked Stripe is made', async () => {
  const session = await soldByStripe();
  const { db } = stripe.tested.service;
  await db
    .insertInto('refunds')
    .values({
      id: 're_left',
      session_id: session.id,
      application_id: stripeShop.applicationId,
      payment_id: session.payment_intent!,
      method: 'card',
      state: 'pending',
      amount: '700',
      provider: 'stripe',
      currency: 'EUR',
      next_look_at: new Date(),
    } as never)
    .execute();
  await poll(
    async () => (await stripeRefunds.list(session.id, '?status=succeeded')).length === 1,
    'the refund',
  );
  assert.equal(stripe.standIn.refunds.at(-1)!.amount, 700);
});
