/** Payments in TRC-20 tokens: each log is a payment of its own, and what only looks like one is none. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { poll } from '../waiting.ts';
import { toEvm } from '../../src/chains/tron/address.ts';
import { type FaultyNode, startFaultyNode, TRON_RECEIVER, TronRails } from './wallet-payments-rails.ts';
import { dollars, ERC20, openTill, type Till } from './wallet-payments-setup.ts';

let tron: TronRails;
let node: FaultyNode;
let till: Till;

before(async () => {
  tron = await TronRails.start();
  node = await startFaultyNode(tron.local.url);
  const prices = { USD: tron.dollar, EUR: tron.dollar };
  till = await openTill([{ ...tron.local.network, nodes: [node.url], prices }]);
  await till.receive(tron.rail(true).receiving as never);
});
after(async () => {
  await till?.close();
  await node?.close();
  await tron?.close();
});

const received = async (hash: string) =>
  (await till.received()).filter(({ transactionHash }) => transactionHash === hash);

test('two transfers in one transaction are two payments, of which one settles a session', async () => {
  const [a, b] = await Promise.all([till.session(), till.session()]);
  const [first, second] = await Promise.all([till.quote(a), till.quote(b)]);
  const hash = await tron.sendTwice(tron.dollar, dollars(first), dollars(second));
  await till.paid(a);
  await poll(async () => (await received(hash)).length === 2, 'both');
  const states = (await received(hash)).map(({ state, reason, sessionId }) => [state, reason, sessionId]);
  assert.deepEqual(
    new Set(states.map(String)),
    new Set([['paid', null, a.id].join(), ['unassigned', 'shared', b.id].join()]),
  );
  assert.equal(await till.stateOf(b), 'open unpaid');
});

test('the same amount twice in one transaction settles the session once, and the rest is listed', async () => {
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await tron.sendTwice(tron.dollar, dollars(quote), dollars(quote));
  await till.paid(session);
  await poll(async () => (await received(hash)).length === 2, 'both');
  const states = (await received(hash)).map(({ state, reason }) => `${state} ${reason}`);
  assert.deepEqual(states.sort(), ['paid null', 'unassigned complete']);
  assert.deepEqual((await till.shop.events(session.id)).map(({ type }) => type).sort(), [
    'payment.succeeded',
    'payment.unassigned',
  ]);
});

test('dust is listed only if the page of a session reports it', async () => {
  const session = await till.session();
  await till.quote(session);
  const dust = 10n ** 14n - 1n;
  const [stray, least] = [await tron.rail(true).pay(dust), await tron.rail(true).pay(dust + 1n)];
  await poll(async () => (await received(least)).length === 1, 'what is not dust');
  assert.deepEqual(await received(stray), []);
  node.fault = (path) => (path === '/wallet/getblock' ? 503 : undefined);
  const reported = await tron.rail(true).pay(dust);
  await till.report(session, reported);
  node.fault = () => undefined;
  await till.until(session, 'the outcome', ({ problem }) => problem === 'underpaid');
  assert.deepEqual(
    (await received(reported)).map(({ reason, sessionId }) => [reason, sessionId]),
    [['amount', session.id]],
  );
});

test('a token of the same name, and transfers of nothing, are no payments and are not listed', async () => {
  const session = await till.session();
  const quote = await till.quote(session);
  const fake = await tron.fakeDollar();
  const listed = (await till.received()).length;
  const hash = await tron.sendTwice(fake, dollars(quote), dollars(quote));
  await tron.sendTwice(tron.dollar, 0n, 0n);
  await till.report(session, hash);
  await till.until(session, 'that it went elsewhere', ({ problem }) => problem === 'other');
  assert.equal((await till.received()).length, listed);
  assert.equal(await till.stateOf(session), 'open unpaid');
  await tron.rail(true).pay(dollars(quote));
  await till.paid(session);
});

test('what an allowance moves is a payment, and a call that fails is none', async () => {
  const session = await till.session();
  const quote = await till.quote(session);
  const moved = () =>
    ERC20.encodeFunctionData('transferFrom', [payer, toEvm(TRON_RECEIVER), dollars(quote)]).slice(2);
  const payer = tron.local.deployer().address;
  const failed = await tron.mined(tron.local.call(tron.dollar, moved()));
  await till.report(session, failed);
  await till.until(session, 'the outcome', ({ problem }) => problem === 'failed');
  assert.deepEqual(await received(failed), []);
  assert.equal(await till.stateOf(session), 'open unpaid');
  const allowance = ERC20.encodeFunctionData('approve', [payer, dollars(quote)]).slice(2);
  await tron.mined(tron.local.call(tron.dollar, allowance));
  const hash = await tron.mined(tron.local.call(tron.dollar, moved()));
  await till.paid(session);
  assert.deepEqual(
    (await received(hash)).map(({ state, sessionId }) => [state, sessionId]),
    [['paid', session.id]],
  );
});

test('nothing is lost while a node has a block without its logs, or takes no more requests', async () => {
  const session = await till.session();
  const quote = await till.quote(session);
  let empty = 0;
  let limited = 0;
  node.fault = (path) => {
    if (path === '/wallet/gettransactioninfobyblocknum' && empty < 3) {
      empty++;
      return '[]';
    }
    if (empty < 3 || limited === 5) return undefined;
    limited++;
    return 429;
  };
  await tron.rail(true).pay(dollars(quote));
  tron.rail(true).mine();
  await till.paid(session);
  assert.deepEqual([empty, limited], [3, 5]);
  node.fault = () => undefined;
});

test('a node that does not tell what waits leaves a report as it is, and holds up no other payment', async () => {
  node.fault = (path) => (path === '/wallet/gettransactionfrompending' ? 405 : undefined);
  const [waiting, session] = await Promise.all([till.session(), till.session()]);
  const [, quote] = await Promise.all([till.quote(waiting), till.quote(session)]);
  assert.equal((await till.report(waiting, 'ab'.repeat(32))).state, 'pending');
  await tron.rail(true).pay(dollars(quote));
  await till.endQuotes(waiting, 30);
  await till.paid(session);
  const ended = await till.session();
  await till.quote(ended);
  await till.endQuotes(ended, 30);
  const { db } = till.tested.service;
  const states = () =>
    db.selectFrom('wallet_quotes').select('state').where('session_id', '=', ended.id).execute();
  await poll(async () => (await states())[0]!.state === 'expired', 'the end of the price');
  assert.equal((await till.page(waiting)).wallet!.payment!.state, 'pending');
  node.fault = () => undefined;
});

test('it counts once its block is solidified, whatever its confirmations', async () => {
  const { ledger } = tron.local;
  ledger.unsolid = 3;
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await tron.rail(true).pay(dollars(quote));
  await till.report(session, hash);
  await till.until(session, 'the confirmation', ({ confirmations }) => confirmations === 1);
  ledger.mine();
  const { length } = tron.local.requests;
  const asked = () => tron.local.requests.slice(length).filter((path) => path.startsWith('/walletsolidity/'));
  await poll(() => asked().length > 2, 'that the service asks');
  assert.equal(await till.stateOf(session), 'open unpaid');
  ledger.mine();
  ledger.mine();
  await till.paid(session);
  ledger.unsolid = 0;
});

test('an underpayment is accepted once its block is solidified, not before', async () => {
  const { ledger } = tron.local;
  ledger.unsolid = 3;
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await tron.rail(true).pay(dollars(quote) - 1n);
  await till.report(session, hash);
  await till.until(session, 'the outcome', ({ problem }) => problem === 'underpaid');
  const [payment] = await received(hash);
  const accept = () =>
    till.tested.post(
      `/checkout/sessions/${session.id}/accept`,
      { payments: [payment!.id] },
      till.shop.headers,
    );
  assert.equal(((await (await accept()).json()) as { code: string }).code, 'checkout.payment.pending');
  tron.rail(true).mine(3);
  assert.equal((await accept()).status, 200);
  await till.paid(session);
  ledger.unsolid = 0;
});
