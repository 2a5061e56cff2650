/** Payments by wallet that go wrong: no session is settled without a payment, and no payment is lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { pause, poll } from '../waiting.ts';
import { letExpire, payment as card } from './checkout-setup.ts';
import {
  type Chain,
  coins,
  dollars,
  ERC20,
  openTill,
  RECEIVER,
  startChain,
  type Till,
} from './wallet-payments-setup.ts';

let chain: Chain;
let till: Till;
let payer: string;

before(async () => {
  chain = await startChain();
  till = await openTill([chain.network]);
  payer = chain.accounts[0]!;
});
after(async () => {
  await till?.close();
  await chain?.close();
});

const tokens = () => till.receive({ tokenAddress: chain.token('DUSD') });

async function quoteStates({ id }: CheckoutSession): Promise<string[]> {
  const rows = await till.tested.service.db
    .selectFrom('wallet_quotes')
    .select('state')
    .where('session_id', '=', id)
    .orderBy('created_at')
    .execute();
  return rows.map(({ state }) => state);
}

/** The transfer of a transaction, once it is classified. */
async function arrived(hash: string) {
  let found: Awaited<ReturnType<Till['received']>>[number] | undefined;
  await poll(async () => {
    found = (await till.received()).find(({ transactionHash }) => transactionHash === hash);
    return found !== undefined && found.state !== 'pending';
  }, 'the transfer');
  const { state, reason, sessionId } = found!;
  return { state, reason, sessionId };
}

test('two sessions of the same price have different amounts, and a payment settles its own, whoever reports it', async () => {
  await tokens();
  const [a, b] = await Promise.all([till.session(), till.session()]);
  const [quoteA, quoteB] = await Promise.all([till.quote(a), till.quote(b)]);
  assert.notEqual(quoteA.amount, quoteB.amount);
  const hash = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quoteB));
  // Another session's transaction is reported as one's own, before and after it is settled.
  await till.report(a, hash);
  await till.paid(b);
  const reported = await till.until(a, 'the outcome', ({ problem }) => problem !== null);
  assert.deepEqual([reported.state, reported.problem], ['quoted', 'amount']);
  assert.equal(await till.stateOf(a), 'open unpaid');
  assert.deepEqual(await arrived(hash), { state: 'paid', reason: null, sessionId: b.id });
  const own = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quoteA));
  await till.paid(a);
  assert.deepEqual(await arrived(own), { state: 'paid', reason: null, sessionId: a.id });
});

test('many concurrent quotes are all different', async () => {
  await tokens();
  const sessions = await Promise.all(Array.from({ length: 30 }, () => till.session(100)));
  const quotes = await Promise.all(sessions.map((session) => till.quote(session)));
  assert.equal(new Set(quotes.map(({ amount }) => amount)).size, 30);
  // Concurrent requests for one session get one quote.
  const again = await Promise.all(Array.from({ length: 5 }, () => till.quote(sessions[0]!)));
  assert.deepEqual(new Set(again.map(({ amount }) => amount)), new Set([quotes[0]!.amount]));
});

test('a wrong amount settles nothing, and the shop sees it as received', async () => {
  await tokens();
  const session = await till.session();
  const quote = await till.quote(session);
  const less = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote) - 1n);
  await till.report(session, less);
  const reported = await till.until(session, 'the outcome', ({ problem }) => problem !== null);
  assert.deepEqual(
    [reported.state, reported.problem, reported.transactionHash],
    ['quoted', 'underpaid', less],
  );
  assert.deepEqual(await arrived(less), { state: 'unassigned', reason: 'amount', sessionId: session.id });
  const more = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote) + 1n);
  assert.deepEqual(await arrived(more), { state: 'unassigned', reason: 'amount', sessionId: null });
  assert.equal(await till.stateOf(session), 'open unpaid');
  const nowhere = await chain.sendToken(payer, chain.token('DUSD'), chain.accounts[1]!, dollars(quote));
  await till.report(session, nowhere);
  await till.until(session, 'the outcome', ({ problem }) => problem === 'other');
  // The quote is still valid.
  await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
  await till.paid(session);
  assert.equal((await till.page(session)).wallet!.payment!.problem, null);
});

test('a failed transaction settles nothing', async () => {
  await tokens();
  const session = await till.session();
  const quote = await till.quote(session);
  const data = ERC20.encodeFunctionData('transferFrom', [chain.accounts[1]!, RECEIVER, dollars(quote)]);
  const gas = { gas: '0x186a0' };
  const hash = await chain.send(payer, chain.token('DUSD'), 0n, data, gas);
  await till.report(session, hash);
  const reported = await till.until(session, 'the outcome', ({ problem }) => problem !== null);
  assert.deepEqual([reported.state, reported.problem], ['quoted', 'failed']);
  assert.equal(await till.stateOf(session), 'open unpaid');
  // Coins sent to a contract that refuses them.
  await till.receive({ address: chain.local.contracts.NFT });
  const other = await till.session();
  const inCoins = await till.quote(other);
  const refused = await chain.send(payer, inCoins.to, coins(inCoins), '0x', gas);
  await till.report(other, refused);
  await till.until(other, 'the outcome', ({ problem }) => problem === 'failed');
  assert.deepEqual(
    (await till.received()).filter(({ transactionHash }) => [hash, refused].includes(transactionHash)),
    [],
  );
});

test('an unknown transaction hash is a problem after a while, until the transaction turns up', async () => {
  await till.receive();
  const session = await till.session();
  const quote = await till.quote(session);
  await chain.rpc('evm_setAutomine', false);
  try {
    const hash = await chain.send(payer, quote.to, coins(quote));
    await till.report(session, `0x${'ab'.repeat(32)}`);
    await till.tested.service.db
      .updateTable('wallet_quotes')
      .set({ known_at: new Date(Date.now() - 600_000) })
      .where('session_id', '=', session.id)
      .execute();
    await till.until(
      session,
      'the outcome',
      ({ problem, state }) => problem === 'unknown' && state === 'quoted',
    );
    await till.report(session, hash);
    await till.until(session, 'the outcome', ({ problem, state }) => problem === null && state === 'pending');
    // The session waits for a pending transaction past its expiry.
    await till.endQuotes(session, 120);
    await letExpire(till.tested, session.id);
    await pause(500);
    assert.equal(await till.stateOf(session), 'open unpaid');
    assert.equal(await till.refused(session, 'cancel'), '409 checkout.payment.pending');
    await chain.mine();
    await till.paid(session);
  } finally {
    await chain.rpc('evm_setAutomine', true);
  }
});

test('late funds count during a grace period, for which the session stays open', async () => {
  await tokens();
  const session = await till.session();
  const quote = await till.quote(session);
  await till.endQuotes(session, 1);
  await letExpire(till.tested, session.id);
  assert.equal((await till.page(session)).wallet!.payment!.state, 'expired');
  assert.equal(await till.stateOf(session), 'open unpaid');
  assert.equal(await till.refused(session, 'quote'), '409 checkout.session.expired');
  await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
  await till.paid(session);
});

test('funds after the grace period are unassigned, and the session says so', async () => {
  await tokens();
  const session = await till.session();
  const quote = await till.quote(session);
  await till.endQuotes(session, 20);
  await poll(async () => (await quoteStates(session))[0] === 'expired', 'the expiry');
  const hash = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
  assert.deepEqual(await arrived(hash), { state: 'unassigned', reason: 'late', sessionId: session.id });
  const { wallet } = await till.page(session);
  assert.deepEqual([wallet!.payment!.state, wallet!.payment!.problem], ['expired', 'late']);
  // It can still be paid with a new quote.
  const again = await till.quote(session);
  assert.notEqual(again.amount, quote.amount);
  await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(again));
  await till.paid(session);
});

test('a session with an unused quote expires once the chain has been read, and can be cancelled at once', async () => {
  await tokens();
  const [idle, left] = await Promise.all([till.session(), till.session()]);
  const [, quote] = await Promise.all([till.quote(idle), till.quote(left)]);
  await till.endQuotes(idle, 20);
  await letExpire(till.tested, idle.id);
  await poll(async () => (await till.stateOf(idle)) === 'expired unpaid', 'the expiry');
  assert.match(await till.refused(left, 'cancel'), /^200/);
  assert.equal(await till.stateOf(left), 'expired unpaid');
  const hash = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
  assert.deepEqual(await arrived(hash), { state: 'unassigned', reason: 'expired', sessionId: left.id });
  assert.equal(await till.stateOf(left), 'expired unpaid');
  assert.deepEqual(
    (await till.shop.events(left.id)).map(({ type }) => type),
    ['payment.cancelled', 'payment.unassigned'],
  );
});

test('a session paid by card is not paid again', async () => {
  await tokens();
  const session = await till.session();
  const quote = await till.quote(session);
  const paid = await till.tested.post(`${new URL(session.url!).pathname}/payments`, card());
  assert.equal(paid.status, 200);
  const hash = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
  assert.deepEqual(await arrived(hash), { state: 'unassigned', reason: 'complete', sessionId: session.id });
  // Nor is one paid twice by wallet.
  const twice = await till.session();
  const amount = dollars(await till.quote(twice));
  await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, amount);
  await till.paid(twice);
  const second = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, amount);
  assert.deepEqual(await arrived(second), { state: 'unassigned', reason: 'complete', sessionId: twice.id });
  for (const { id } of [session, twice])
    assert.deepEqual(
      (await till.shop.events(id)).map(({ type }) => type),
      ['payment.succeeded', 'payment.unassigned'],
    );
});
