/** Payments in TRX, in a token of Tron and in AE: what settles a session, what does not, and that the books equal the chain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseUnits } from '../../src/base/amount.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { DEFAULTS } from '../../service/checkout/wallet-payments/wallet-payment-settings.ts';
import { encode58 } from '../../src/chains/aeternity/encoding.ts';
import { poll } from '../waiting.ts';
import { type Rail, startAeternityRail, startMarket, TronRails } from './wallet-payments-rails.ts';
import { Cases, chainCases } from './wallet-payments-cases.ts';
import { openTill, type Till } from './wallet-payments-setup.ts';

let market: Awaited<ReturnType<typeof startMarket>>;
let tron: TronRails;
let aeternity: Awaited<ReturnType<typeof startAeternityRail>>;
let till: Till;

before(async () => {
  [market, tron, aeternity] = await Promise.all([startMarket(), TronRails.start(), startAeternityRail()]);
  const networks = [tron.local.network, aeternity.network];
  for (const network of networks) network.prices = market.prices(network);
  till = await openTill(networks);
});
after(async () => {
  await till?.close();
  await Promise.all([market?.close(), tron?.close(), aeternity?.close()]);
});

const { unitsOf } = Cases;
const cases = new Cases(() => till);
const events = (session: CheckoutSession) => cases.events(session);
const arrived = (hash: string) => cases.arrived(hash);
const quoteState = (session: CheckoutSession) => cases.quoteState(session);
const quoted = (rail: Rail, currency?: string) => cases.quoted(rail, currency);

const RAILS = [
  ['TRX', () => tron.rail(false)],
  ['a TRC-20 token', () => tron.rail(true)],
  ['AE', (): Rail => aeternity],
] as const;

chainCases(
  RAILS.map(([name, rail]) => ({ name, rail })),
  () => till,
);

test('AE: a price is not over before a key block shows what came in time', async () => {
  const { session, quote } = await quoted(aeternity);
  const { db } = till.tested.service;
  const cursor = () =>
    db
      .selectFrom('wallet_lanes')
      .select('read_until')
      .where('network', '=', aeternity.network.id)
      .executeTakeFirstOrThrow();
  const end = (await cursor()).read_until.getTime() + 1000;
  await db
    .updateTable('wallet_quotes')
    .set({ expires_at: new Date(end - DEFAULTS.graceMs) })
    .where('session_id', '=', session.id)
    .execute();
  await aeternity.local.fund(quote.to, unitsOf(aeternity, quote));
  await poll(() => Date.now() > end + 1000, 'the end of the extra time');
  assert.equal(await quoteState(session), 'quoted');
  aeternity.mine(2);
  await till.paid(session);
});

test('TRX: what a contract sends is not seen, and pays nothing', async () => {
  const rail = tron.rail(false);
  const { session, quote } = await quoted(rail);
  const before = await rail.balance();
  const hash = await tron.sendByContract(unitsOf(rail, quote));
  assert.equal(await rail.balance(), before + unitsOf(rail, quote));
  // Blocks are read in their order: what comes after it is read later.
  const next = await quoted(rail);
  await rail.pay(unitsOf(rail, next.quote));
  await rail.mine();
  await till.paid(next.session);
  assert.equal(await till.stateOf(session), 'open unpaid');
  assert.ok(!(await till.received('?limit=100')).some(({ transactionHash }) => transactionHash === hash));
});

test('a report is refused unless it is a hash as the chain has them', async () => {
  const hex = 'AB'.repeat(32);
  const th = encode58('th', new Uint8Array(32).fill(7));
  const mistyped = th.replace(/.$/, (last) => (last === '2' ? '3' : '2'));
  for (const [rail, good, bad] of [
    [tron.rail(true), hex, `0x${hex}`],
    [aeternity, th, hex],
  ] as const) {
    const { session } = await quoted(rail);
    for (const transactionHash of [bad, 'th_0', rail === aeternity ? mistyped : th])
      assert.equal(await till.refused(session, 'payments', { transactionHash }), '400 request.invalid');
    const { transactionHash } = await till.report(session, good);
    assert.equal(transactionHash, rail === aeternity ? th : hex.toLowerCase());
  }
});

test('AE: what names the session in its payload is the session’s, whatever its amount, without a report', async () => {
  const { session, quote } = await quoted(aeternity);
  assert.equal(quote.memo, session.id);
  const { fund, ledger } = aeternity.local;
  const hash = await fund(quote.to, 5n, session.id);
  const stray = await fund(quote.to, 6n, 'cs_test_unknown');
  ledger.mineKeyBlock();
  await till.until(session, 'the outcome', ({ problem }) => problem === 'underpaid');
  assert.equal(await arrived(hash), `unassigned amount ${session.id}`);
  assert.equal(await arrived(stray), 'unassigned amount ');
  assert.deepEqual(await events(session), ['payment.underpaid']);
});

test('the price of every currency is kept with its quote', async () => {
  await till.receive(aeternity.receiving as never);
  for (const [currency, pairs] of [
    ['USD', ['AE/USD']],
    ['JPY', ['AE/USD', 'USD/JPY']],
  ] as const) {
    const session = await till.session(2999, currency);
    await till.quote(session);
    const { price_basis } = await till.tested.service.db
      .selectFrom('wallet_quotes')
      .select('price_basis')
      .where('session_id', '=', session.id)
      .executeTakeFirstOrThrow();
    const { source, spread, rates } = price_basis as {
      source: string;
      spread: number;
      rates: { pair: string }[];
    };
    assert.deepEqual([source, spread, rates.map(({ pair }) => pair)], ['oracle', 0.5, pairs]);
  }
});

/** Blocks in which a payment of AE arrives that names the session. */
async function spend(session: CheckoutSession, quote: WalletPayment, amount: bigint): Promise<string> {
  const hash = await aeternity.local.fund(quote.to, amount, session.id);
  aeternity.local.ledger.mineKeyBlock();
  return hash;
}

test('AE: payments that name the session add up to its price and pay it once each is confirmed, without the shop', async () => {
  const { session, quote } = await quoted(aeternity);
  const price = unitsOf(aeternity, quote);
  await spend(session, quote, price / 2n);
  const short = await till.until(session, 'the first part', ({ problem }) => problem === 'underpaid');
  assert.equal(parseUnits(short.difference!, 18), price - price / 2n);
  const last = await spend(session, quote, price - price / 2n + 7n);
  const sum = await till.until(session, 'the sum', ({ state }) => state === 'pending');
  assert.deepEqual([sum.transactionHash, sum.problem], [last, null]);
  assert.equal(await till.stateOf(session), 'open unpaid');
  assert.equal(await till.refused(session, 'cancel'), '409 checkout.payment.pending');
  aeternity.mine();
  await till.paid(session);
  const { wallet_payment: paid } = await till.shop.read(session.id);
  assert.deepEqual(
    [paid!.status, paid!.payments.length, paid!.missing, parseUnits(paid!.excess!, 18)],
    ['paid', 2, null, 7n],
  );
  assert.deepEqual(await events(session), ['payment.underpaid', 'payment.succeeded']);
});

test('AE: a part whose block is replaced takes the sum back', async () => {
  const { session, quote } = await quoted(aeternity);
  const hash = await spend(session, quote, unitsOf(aeternity, quote) + 1n);
  await till.until(session, 'the sum', ({ state }) => state === 'pending');
  aeternity.remove(hash);
  await till.until(session, 'that it is gone', ({ state }) => state === 'quoted');
  assert.match(await till.refused(session, 'cancel'), /^200/);
});

test('AE: what the shop tolerates may be missing, and not a unit more', async () => {
  await till.receive({ ...aeternity.receiving, tolerance: 0.5 });
  const [enough, less] = [await till.session(), await till.session()];
  const [good, bad] = [await till.quote(enough), await till.quote(less)];
  const least = (quote: WalletPayment) =>
    unitsOf(aeternity, quote) - (unitsOf(aeternity, quote) * 5n) / 1000n;
  await spend(less, bad, least(bad) - 1n);
  await spend(enough, good, least(good));
  await till.paid(enough);
  const { wallet_payment: paid } = await till.shop.read(enough.id);
  assert.deepEqual([paid!.status, paid!.within_tolerance, paid!.excess], ['paid', true, null]);
  await till.until(less, 'the outcome', ({ problem }) => problem === 'underpaid');
  assert.equal((await till.shop.read(less.id)).wallet_payment!.within_tolerance, false);
  assert.deepEqual(await events(less), ['payment.underpaid']);
});

test('a tolerance counts for nothing where anybody could report the payment, but the shop is told', async () => {
  const rail = tron.rail(true);
  await till.receive({ ...rail.receiving, tolerance: 5 });
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await rail.pay(unitsOf(rail, quote) - 1n);
  await till.report(session, hash);
  await till.until(session, 'the outcome', ({ problem }) => problem === 'underpaid');
  rail.mine(2);
  assert.equal(await till.stateOf(session), 'open unpaid');
  const { wallet_payment: told } = await till.shop.read(session.id);
  assert.deepEqual([told!.status, told!.within_tolerance], ['underpaid', true]);
});

test('the shop accepts a late payment while its session is open', async () => {
  const rail = tron.rail(true);
  const { session, quote } = await quoted(rail);
  await till.endQuotes(session, 30);
  rail.mine();
  await poll(async () => (await quoteState(session)) === 'expired', 'the end of the price');
  const late = await rail.pay(unitsOf(rail, quote));
  assert.equal(await arrived(late), `unassigned late ${session.id}`);
  rail.mine();
  const [payment] = await till.received(`?session=${session.id}`);
  const accepted = await till.tested.post(
    `/checkout/sessions/${session.id}/accept`,
    { payments: [payment!.id] },
    till.shop.headers,
  );
  assert.equal(accepted.status, 200, await accepted.clone().text());
  await till.paid(session);
  assert.deepEqual(await events(session), ['payment.unassigned', 'payment.succeeded']);
});
