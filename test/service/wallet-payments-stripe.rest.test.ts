/** Stripe beside a wallet: our page links to Stripe's, and a session can be paid only one way. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { readSession } from '../../service/checkout/sessions/read-session.ts';
import { startStripe } from './checkout-providers.ts';
import { openShop, order, pagePath, SUCCESS } from './checkout-setup.ts';
import type { StripeStandIn } from './stripe-stand-in.ts';
import {
  type Chain,
  dollars,
  FAST,
  RECEIVER,
  startChain,
  type Till,
  tillOf,
} from './wallet-payments-setup.ts';

let chain: Chain;
let standIn: StripeStandIn;
let till: Till;
let closeProvider: () => Promise<void>;

before(async () => {
  chain = await startChain();
  const stripe = await startStripe(
    {},
    {
      networks: { customNodes: false, reported: [], networks: [chain.network] },
      frameUrl: 'http://localhost:4000',
    },
    { walletPayments: FAST },
  );
  ({ standIn, close: closeProvider } = stripe);
  till = tillOf(stripe.tested, await openShop(stripe.tested));
});
after(async () => {
  await closeProvider?.();
  await chain?.close();
});

const receive = () => till.receive({ tokenAddress: chain.token('DUSD'), confirmations: 2 });
const pay = (amount: bigint) => chain.sendToken(chain.accounts[0]!, chain.token('DUSD'), RECEIVER, amount);
const types = async ({ id }: CheckoutSession) => (await till.shop.events(id)).map(({ type }) => type);
/** Stripe's page of the newest session. */
const atStripe = () => [...standIn.sessions.values()].at(-1)!;

test('without a receiving wallet the page is Stripe’s', async () => {
  const session = await till.session();
  assert.equal(session.url, atStripe()['url']);
});

test('with one it is ours, which links to Stripe’s and accepts no card itself', async () => {
  await receive();
  const session = await till.session();
  assert.equal(session.url, `${till.tested.url}${pagePath(session)}`);
  assert.equal(atStripe()['cancel_url'], session.url);
  const page = await till.page(session);
  assert.deepEqual(page.card, { redirect: atStripe()['url'] });
  assert.deepEqual([page.provider, page.cards, page.wallet!.symbol], ['stripe', [], 'DUSD']);
  for (const path of ['payments', 'challenge'])
    assert.equal((await till.tested.post(`${pagePath(session)}/${path}`, {})).status, 404, path);
  const done = await standIn.pay(page.card.redirect!, SUCCESS);
  const back = await fetch(done!, { redirect: 'manual' });
  assert.equal(back.headers.get('location'), 'https://shop.example/thanks?order=1');
  assert.deepEqual(await types(session), ['payment.succeeded']);
  // Nor can it be paid again with a quote.
  assert.equal(await till.refused(session, 'quote'), '409 checkout.session.complete');
});

test('a currency without a price stays on Stripe’s page', async () => {
  await receive();
  const session = await till.session(2999, 'CHF');
  assert.equal(session.url, atStripe()['url']);
});

test('before a payment by wallet settles, the Stripe session is expired', async () => {
  await receive();
  const session = await till.session();
  const stripe = atStripe();
  await pay(dollars(await till.quote(session)));
  await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
  assert.equal(stripe['status'], 'expired');
  assert.equal((await till.shop.read(session.id)).status, 'open');
  await chain.mine();
  await till.paid(session);
  assert.deepEqual(await types(session), ['payment.succeeded']);
});

test('if Stripe is paid at the last moment, a payment by wallet is unassigned', async () => {
  await receive();
  const session = await till.session();
  const quote = await till.quote(session);
  standIn.held = [];
  await standIn.pay(String(atStripe()['url']), SUCCESS);
  await pay(dollars(quote));
  await chain.mine();
  await till.paid(session);
  standIn.held = undefined;
  assert.match((await till.shop.read(session.id)).payment_intent!, /^pi_/);
  await till.until(session, 'the end', ({ problem }) => problem === 'late');
  // One success: the transfer is told, and pays nothing a second time.
  assert.deepEqual(await types(session), ['payment.succeeded', 'payment.unassigned']);
  const [received] = await till.received(`?session=${session.id}`);
  assert.deepEqual([received!.state, received!.reason], ['unassigned', 'complete']);
});

test('while Stripe is unreachable, a payment by wallet waits and is not lost', async () => {
  await receive();
  const session = await till.session();
  const quote = await till.quote(session);
  standIn.fail(...Array<500>(6).fill(500));
  await pay(dollars(quote));
  await chain.mine();
  await till.paid(session);
  assert.deepEqual(await types(session), ['payment.succeeded']);
});

test('cancelling on our page expires the Stripe session, too', async () => {
  await receive();
  const session = await till.shop.create(order());
  const stripe = atStripe();
  assert.match(await till.refused(session, 'cancel'), /^200/);
  assert.equal(stripe['status'], 'expired');
  assert.equal((await till.shop.read(session.id)).status, 'expired');
  const row = await readSession(till.tested.service.db, till.shop.applicationId, session.id);
  assert.ok(row.cancelled_at);
});
