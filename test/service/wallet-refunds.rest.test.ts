/** Wallet payments of another amount, and money that goes back from the shop's wallet: exact, bounded, and to an address given for it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { formatEther, JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { sql } from 'kysely';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { Receipt } from '../../src/api/receipt.ts';
import type { Refund } from '../../src/api/refund.ts';
import type { ReceivedPayment } from '../../src/api/receiving-wallet.ts';
import type { OpenedSpendingSession } from '../../src/api/spending-session.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { openShop } from './checkout-setup.ts';
import { OTHER_PIN, PIN, QUICK } from './custody-setup.ts';
import { type Refunds, refundsOf, SOON } from './refunds-setup.ts';
import {
  type Chain,
  coins,
  dollars,
  openTill,
  RECEIVER,
  startChain,
  type Till,
} from './wallet-payments-setup.ts';

const REFUSED = '409 checkout.refund.refused';

let chain: Chain;
let till: Till;
let payer: string;
let refunds: Refunds;
let provider: JsonRpcProvider;
/** The shop's own, which pays refunds. */
let wallet: CreatedWallet;

before(async () => {
  chain = await startChain();
  till = await openTill(
    [chain.network],
    {},
    {},
    {
      scopes: ['whitelabel', 'view:wallets', 'sign:wallets'],
      pins: { cost: QUICK },
      refunds: SOON,
    },
  );
  payer = chain.accounts[0]!;
  refunds = refundsOf(till.tested, () => till.shop.headers);
  provider = new JsonRpcProvider(chain.local.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  wallet = await makeWallet();
  await chain.local.fund(wallet.address, parseEther('1000'));
  await chain.local.give('DUSD', wallet.address);
});
after(async () => {
  provider?.destroy();
  await till?.close();
  await chain?.close();
});

async function makeWallet(order: object = {}, headers = till.shop.headers): Promise<CreatedWallet> {
  const body = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN, ...order };
  const response = await till.tested.post('/api/wallets', body, headers);
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as CreatedWallet;
}

interface Sold {
  session: CheckoutSession;
  /** Smallest units that were paid. */
  amount: bigint;
}

async function sold({ token }: { token?: string } = {}): Promise<Sold> {
  await till.receive(token ? { tokenAddress: chain.token(token) } : {});
  const session = await till.session();
  const quote = await till.quote(session);
  if (token) await chain.sendToken(payer, chain.token(token), RECEIVER, dollars(quote));
  else await chain.send(payer, RECEIVER, coins(quote));
  await till.paid(session);
  return { session: await till.shop.read(session.id), amount: coins(quote) };
}

const fresh = (): string => Key.createRandom().address;

function back(more: object = {}) {
  return { to: fresh(), walletId: wallet.id, pincode: PIN, ...more };
}

const balance = async (address: string): Promise<bigint> => provider.getBalance(address);

const dusdOf = async (address: string): Promise<bigint> =>
  BigInt(
    await chain.rpc<string>(
      'eth_call',
      { to: chain.token('DUSD'), data: `0x70a08231${address.slice(2).padStart(64, '0')}` },
      'latest',
    ),
  );

const eventsOf = async ({ id }: CheckoutSession): Promise<string[]> =>
  (await till.shop.events(id)).map(({ type, data }) => `${type} ${data.reason}`);

async function received(hash: string): Promise<ReceivedPayment> {
  let found: ReceivedPayment | undefined;
  await poll(async () => {
    found = (await till.received()).find(({ transactionHash }) => transactionHash === hash);
    return found !== undefined;
  }, 'the transfer');
  return found!;
}

test('coins go back exactly, to the address that was given, and the shop hears of it', async () => {
  const { session, amount } = await sold();
  const { to, ...body } = back({ note: 'Returned' });
  const made = await refunds.make(session.id, { to, ...body });
  assert.equal(made.status, 'pending');
  const refund = await refunds.settled(made);
  const { transaction_hash: hash, ...paid } = refund.wallet!;
  assert.deepEqual(paid, {
    amount: formatEther(amount),
    symbol: 'ETH',
    network: chain.network.id,
    token_address: null,
    to,
  });
  assert.deepEqual(
    [refund.status, refund.method, refund.amount, refund.note],
    ['succeeded', 'wallet', null, 'Returned'],
  );
  assert.equal(await balance(to), amount);
  assert.equal((await provider.getTransaction(hash))!.from, wallet.address);
  assert.equal((await till.shop.read(session.id)).refunded, 'fully');
  assert.deepEqual(await eventsOf(session), ['payment.succeeded null', 'refund.succeeded null']);
  const event = (await till.shop.events(session.id)).at(-1)!;
  assert.deepEqual(event.data.refund, refund);
  assert.doesNotMatch(till.tested.log.join(''), new RegExp(PIN));
});

test('parts of a token payment go back, and never more than was paid', async () => {
  const { session, amount } = await sold({ token: 'DUSD' });
  const first = back({ amount: '10.5' });
  await refunds.settled(await refunds.make(session.id, first));
  assert.equal(await dusdOf(first.to), parseEther('10.5'));
  assert.equal((await till.shop.read(session.id)).refunded, 'partly');
  const more = await refunds.ask(session.id, back({ amount: formatEther(amount) }));
  assert.equal(more.outcome, REFUSED);
  assert.deepEqual(more.body.details, {
    reason: 'amount',
    refundable: formatEther(amount - parseEther('10.5')),
  });
  const all = await Promise.all(
    Array.from({ length: 6 }, () => refunds.ask(session.id, back({ amount: '5' }))),
  );
  assert.equal(
    all.filter(({ outcome }) => outcome === '201').length,
    3,
    JSON.stringify(all.map(({ outcome }) => outcome)),
  );
  for (const { body, outcome } of all) if (outcome === '201') await refunds.settled(body);
  const rest = back();
  const last = await refunds.settled(await refunds.make(session.id, rest));
  assert.equal(await dusdOf(rest.to), amount - parseEther('25.5'));
  assert.equal(last.status, 'succeeded');
  assert.equal((await till.shop.read(session.id)).refunded, 'fully');
});

test('a repeated request is the same refund, also without its PIN’s check', async () => {
  const { session } = await sold();
  const body = back({ amount: '0.001' });
  const key = randomUUID();
  const copies = await Promise.all(Array.from({ length: 4 }, () => refunds.make(session.id, body, key)));
  assert.equal(new Set(copies.map(({ id }) => id)).size, 1);
  await refunds.settled(copies[0]!);
  assert.equal((await refunds.make(session.id, { ...body, pincode: OTHER_PIN }, key)).id, copies[0]!.id);
  assert.equal(await balance(body.to), parseEther('0.001'));
  assert.equal((await refunds.list(session.id)).length, 1);
  assert.equal(
    (await refunds.ask(session.id, { ...body, to: fresh() }, key)).outcome,
    '409 request.conflict',
  );
});

test('the sender is never paid by itself, and what cannot receive is refused by its name', async () => {
  const { session } = await sold({ token: 'DUSD' });
  const other = await makeWallet({ secretType: 'VECHAIN' });
  const stranger = await openShop(till.tested, ['whitelabel', 'view:wallets', 'sign:wallets']);
  const theirs = await makeWallet({}, stranger.headers);
  const lower = `0x${'ab'.repeat(20)}`;
  for (const [body, outcome, path] of [
    [back({ to: undefined }), '400 request.invalid', 'to'],
    [back({ to: '0x1234' }), '400 request.invalid', 'to'],
    [back({ to: `0x${'0'.repeat(40)}` }), '400 request.invalid', 'to'],
    [back({ to: chain.token('DUSD') }), '400 request.invalid', 'to'],
    [back({ to: `${lower.slice(0, -1)}B` }), '400 request.invalid', 'to'],
    [back({ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }), '400 request.invalid', 'to'],
    [back({ walletId: undefined }), '400 request.invalid', 'walletId'],
    [back({ walletId: other.id }), '400 request.invalid', 'walletId'],
    [back({ walletId: theirs.id }), '403 wallet.forbidden', undefined],
    [back({ pincode: undefined }), '400 request.invalid', 'pincode'],
    [back({ pincode: OTHER_PIN }), '403 pincode.wrong', undefined],
    [back({ amount: 1 }), '400 request.invalid', 'amount'],
    [back({ amount: `0.${'0'.repeat(18)}1` }), '400 request.invalid', 'amount'],
    [back({ amount: '0' }), REFUSED, undefined],
  ] as const) {
    const refused = await refunds.ask(session.id, body);
    assert.equal(refused.outcome, outcome, JSON.stringify([body, refused.body]));
    assert.equal(refused.body.issues?.[0]?.path, path, JSON.stringify(body));
  }
  assert.deepEqual(await refunds.list(session.id), []);
});

test('without the scope to sign, no wallet pays', async () => {
  const { session } = await sold();
  const { tested, shop } = till;
  const scopes = ['refund', 'whitelabel', 'view:wallets'];
  const { access_token } = await tested.service.tokens.issue({
    accountId: shop.applicationId,
    clientId: shop.applicationId,
    scopes,
  });
  const weak = refundsOf(tested, () => ({ Authorization: `Bearer ${access_token}` }));
  assert.equal((await weak.ask(session.id, back())).outcome, '403 token.scope');
});

test('a spending session pays as far as its limits go, and is counted', async () => {
  const { session } = await sold();
  const { tested, shop } = till;
  const opened = await tested.post(
    `/api/wallets/${wallet.id}/sessions`,
    { pincode: PIN, transactions: 5, limits: [{ amount: String(parseEther('0.01')) }] },
    shop.headers,
  );
  const { token, id } = (await opened.json()) as OpenedSpendingSession;
  const body = { to: fresh(), walletId: wallet.id, session: token };
  const refund = await refunds.make(session.id, { ...body, amount: '0.001' });
  assert.equal((await refunds.settled(refund)).status, 'succeeded');
  const tooMuch = await refunds.ask(session.id, { ...body, amount: '0.0099' });
  assert.match(tooMuch.outcome, /^(422 wallet\.session\.limit|409 checkout\.refund\.refused)$/);
  const both = await refunds.ask(session.id, { ...body, amount: '0.001', pincode: PIN });
  assert.equal(both.body.issues[0]!.path, 'session');
  const answer = await tested.get(`/api/wallets/${wallet.id}/sessions`, shop.headers);
  const mine = ((await answer.json()) as OpenedSpendingSession[]).find((one) => one.id === id);
  assert.equal(mine!.transactionsUsed, 1);
});

test('a wallet without enough refuses, and nothing is left of the refund', async () => {
  const { session } = await sold();
  const poor = await makeWallet();
  const body = back({ walletId: poor.id });
  const key = randomUUID();
  assert.equal((await refunds.ask(session.id, body, key)).outcome, '422 transaction.insufficient-funds');
  assert.deepEqual(await refunds.list(session.id), []);
  // The key is still free.
  await chain.local.fund(poor.address, parseEther('100'));
  assert.equal((await refunds.settled(await refunds.make(session.id, body, key))).status, 'succeeded');
});

test('while no node answers the refund is pending, and it is sent once', async () => {
  const { session } = await sold();
  const body = back({ amount: '0.002' });
  // It has the transaction, and its answer is lost.
  chain.alter = (call, reply) =>
    call.method === 'eth_sendRawTransaction' ? { ...reply, result: null } : reply;
  let refund: Refund;
  try {
    refund = await refunds.make(session.id, body, 'slow');
    assert.equal(refund.status, 'pending');
    assert.equal((await refunds.ask(session.id, back({ amount: '9999' }))).outcome, REFUSED);
  } finally {
    chain.alter = undefined;
  }
  assert.equal((await refunds.make(session.id, body, 'slow')).id, refund.id);
  await till.tested.service.db
    .updateTable('transactions')
    .set({ next_check_at: new Date() })
    .where('state', '=', 'signed')
    .execute();
  assert.equal((await refunds.settled(refund)).status, 'succeeded');
  assert.equal(await balance(body.to), parseEther('0.002'));
});

/** Nothing is mined meanwhile. */
async function unmined(work: () => Promise<void>): Promise<void> {
  await chain.rpc('evm_setAutomine', false);
  try {
    await work();
  } finally {
    await chain.rpc('evm_setAutomine', true);
    await chain.mine();
  }
}

async function journal(refund: Refund, state: 'failed' | 'dropped'): Promise<void> {
  await till.tested.service.db
    .updateTable('transactions')
    .set({ state, next_check_at: null })
    .where('hash', '=', refund.wallet!.transaction_hash)
    .execute();
}

test('of a refund whose transaction fails, the amount is free again', async () => {
  const { session } = await sold();
  await unmined(async () => {
    const made = await refunds.make(session.id, back());
    await journal(made, 'failed');
    const refund = await refunds.settled(made);
    assert.deepEqual([refund.status, refund.failure_reason], ['failed', 'failed']);
  });
  assert.deepEqual(await eventsOf(session), ['payment.succeeded null', 'refund.failed failed']);
  assert.equal((await till.shop.read(session.id)).refunded, 'none');
  assert.equal((await refunds.settled(await refunds.make(session.id, back()))).status, 'succeeded');
});

test('a transaction that nodes have forgotten may still come: its amount is not free', async () => {
  const { session } = await sold();
  await unmined(async () => {
    const made = await refunds.make(session.id, back());
    await journal(made, 'dropped');
    const refund = await refunds.settled(made);
    assert.deepEqual([refund.status, refund.failure_reason], ['failed', 'unknown']);
  });
  assert.equal((await refunds.ask(session.id, back())).outcome, REFUSED);
});

test('a refund that the shop speeds up succeeds with the transaction in its place; a cancelled one has failed', async () => {
  const { tested, shop } = till;
  for (const [how, status, reason] of [
    ['speed-up', 'succeeded', null],
    ['cancel', 'failed', 'replaced'],
  ] as const) {
    const { session } = await sold();
    let made: Refund;
    let later = '';
    const [body, key] = [back(), randomUUID()];
    await unmined(async () => {
      made = await refunds.make(session.id, body, key);
      const path = `/api/transactions/${made.wallet!.transaction_hash}/${how}`;
      const answer = await tested.post(path, { walletId: wallet.id, pincode: PIN }, shop.headers);
      assert.equal(answer.status, 200, await answer.clone().text());
      later = ((await answer.json()) as { transactionHash: string }).transactionHash;
    });
    await poll(async () => {
      await tested.service.db
        .updateTable('transactions')
        .set({ next_check_at: new Date() })
        .where('state', '=', 'sent')
        .execute();
      const refund = await refunds.settled(made);
      assert.deepEqual([refund.status, refund.failure_reason], [status, reason]);
      if (how === 'speed-up') assert.equal(refund.wallet!.transaction_hash, later);
      return true;
    }, 'the rival');
    assert.equal((await refunds.make(session.id, body, key)).id, made!.id);
  }
});

test('a refund whose nonce the shop uses for the same transfer has succeeded; it cannot be refunded again', async () => {
  const { tested, shop } = till;
  const { session, amount } = await sold();
  const body = back();
  let made: Refund;
  let later = '';
  await unmined(async () => {
    made = await refunds.make(session.id, body);
    const sent = await provider.getTransaction(made.wallet!.transaction_hash);
    const again = {
      type: 'ETH_TRANSACTION',
      walletId: wallet.id,
      pincode: PIN,
      to: body.to,
      value: String(amount),
      nonce: sent!.nonce,
      maxFeePerGas: String(sent!.maxFeePerGas! * 2n),
      maxPriorityFeePerGas: String(sent!.maxPriorityFeePerGas! * 2n),
    };
    const answer = await tested.post('/api/transactions/execute', again, shop.headers);
    assert.equal(answer.status, 200, await answer.clone().text());
    later = ((await answer.json()) as { transactionHash: string }).transactionHash;
  });
  let refund: Refund;
  await poll(async () => {
    await tested.service.db
      .updateTable('transactions')
      .set({ next_check_at: new Date() })
      .where('state', '=', 'sent')
      .execute();
    [refund] = (await refunds.list(session.id)) as [Refund];
    return refund.status !== 'pending';
  }, 'the outcome');
  assert.deepEqual([refund!.status, refund!.wallet!.transaction_hash], ['succeeded', later]);
  assert.equal((await refunds.ask(session.id, back())).outcome, REFUSED);
  assert.equal(await balance(body.to), amount);
});

test('a repeated request is the same refund after its transaction was sped up, also for a part', async () => {
  const { tested, shop } = till;
  const { session } = await sold();
  const [body, key] = [back({ amount: '0.0001' }), randomUUID()];
  let made: Refund;
  await unmined(async () => {
    made = await refunds.make(session.id, body, key);
    const path = `/api/transactions/${made.wallet!.transaction_hash}/speed-up`;
    const answer = await tested.post(path, { walletId: wallet.id, pincode: PIN }, shop.headers);
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.equal((await refunds.make(session.id, body, key)).id, made.id);
  });
  await tested.service.db
    .updateTable('transactions')
    .set({ next_check_at: new Date() })
    .where('state', '=', 'sent')
    .execute();
  assert.equal((await refunds.settled(made!)).status, 'succeeded');
  const again = await refunds.make(session.id, body, key);
  assert.deepEqual(again, await refunds.settled(made!));
  assert.equal(await balance(body.to), parseEther('0.0001'));
  // One that a candidate of 0.2.0 made does not know its refund.
  await sql`update request_keys set refund_id = null where key = ${key}`.execute(tested.service.db);
  assert.equal((await refunds.ask(session.id, body, key)).outcome, '409 request.conflict');
});

test('less than the price is told as such to page and shop, and pays for nothing', async () => {
  await till.receive({ tokenAddress: chain.token('DUSD') });
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote) - parseEther('2'));
  const payment = await received(hash);
  assert.deepEqual([payment.state, payment.reason, payment.sessionId], ['unassigned', 'amount', null]);
  // Nobody guesses: only when the page names the transaction it is known what it was for.
  assert.deepEqual(await eventsOf(session), []);
  await till.report(session, hash);
  const seen = await till.until(session, 'the difference', ({ problem }) => problem === 'underpaid');
  assert.deepEqual([seen.received, seen.difference], [formatEther(dollars(quote) - parseEther('2')), '2']);
  const now = await till.shop.read(session.id);
  assert.deepEqual([now.status, now.payment_status], ['open', 'unpaid']);
  assert.deepEqual(now.wallet_payment, {
    status: 'underpaid',
    payments: [payment.id],
    network: chain.network.id,
    token_address: chain.token('DUSD'),
    symbol: 'DUSD',
    expected: quote.amount,
    received: payment.amount,
    missing: '2',
    excess: null,
    within_tolerance: false,
    transaction_hash: hash,
  });
  const [event, ...others] = await till.shop.events(session.id);
  assert.deepEqual([event!.type, event!.data.reason, others.length], ['payment.underpaid', null, 0]);
  assert.deepEqual(event!.data.wallet_payment, now.wallet_payment);
  // The customer may pay the whole amount, and the other one goes back.
  await chain.sendToken(payer, chain.token('DUSD'), RECEIVER, dollars(quote));
  await till.paid(session);
  assert.equal((await till.shop.read(session.id)).wallet_payment!.status, 'paid');
  const body = back({ payment: payment.id });
  await refunds.settled(await refunds.make(session.id, body));
  assert.equal(await dusdOf(body.to), dollars(quote) - parseEther('2'));
  assert.equal((await till.shop.read(session.id)).refunded, 'none');
});

async function accept({ id }: CheckoutSession, ...payments: string[]): Promise<string> {
  const response = await till.tested.post(`/checkout/sessions/${id}/accept`, { payments }, till.shop.headers);
  const { code } = (await response.json()) as { code?: string };
  return `${response.status} ${code ?? ''}`;
}

test('more than the price is told as such, and the shop can take it as the payment', async () => {
  await till.receive();
  const session = await till.session();
  const other = await till.session();
  const quote = await till.quote(session);
  const hash = await chain.send(payer, RECEIVER, coins(quote) + parseEther('0.5'));
  await till.report(session, hash);
  await till.until(session, 'the excess', ({ problem }) => problem === 'overpaid');
  const { id } = await received(hash);
  const { wallet_payment: told } = await till.shop.read(session.id);
  assert.deepEqual([told!.status, told!.excess, told!.missing], ['overpaid', '0.5', null]);
  assert.equal(await accept(other, id), '400 request.invalid');
  assert.equal(await accept(session, 'pi_0'), '400 request.invalid');
  assert.equal(await accept(session, id), '200 ');
  const paid = await till.shop.read(session.id);
  assert.deepEqual([paid.status, paid.payment_status, paid.payment_intent], ['complete', 'paid', id]);
  assert.deepEqual([paid.wallet_payment!.status, paid.wallet_payment!.excess], ['paid', '0.5']);
  assert.deepEqual(await eventsOf(session), ['payment.overpaid null', 'payment.succeeded null']);
  assert.equal(await accept(session, id), '400 request.invalid');
  // The excess goes back as a part of the payment.
  assert.equal(
    (await refunds.settled(await refunds.make(session.id, back({ amount: '0.5' })))).status,
    'succeeded',
  );
  assert.equal((await till.shop.read(session.id)).refunded, 'partly');
});

test('a customer can top up what is missing, and the shop takes both', async () => {
  await till.receive({ tokenAddress: chain.token('DUSD') });
  const session = await till.session();
  const quote = await till.quote(session);
  const send = (amount: bigint) => chain.sendToken(payer, chain.token('DUSD'), RECEIVER, amount);
  const less = await send(dollars(quote) - parseEther('2'));
  await till.report(session, less);
  await till.until(session, 'the difference', ({ problem }) => problem === 'underpaid');
  const rest = await send(parseEther('2'));
  await till.report(session, rest);
  const seen = await till.until(session, 'the sum', ({ problem }) => problem === 'overpaid');
  assert.deepEqual([seen.received, seen.difference], [quote.amount, '0']);
  const { wallet_payment: told } = await till.shop.read(session.id);
  const ids = [(await received(less)).id, (await received(rest)).id];
  assert.deepEqual(
    [told!.status, told!.received, told!.missing, told!.excess, told!.payments],
    ['overpaid', quote.amount, null, null, ids],
  );
  assert.deepEqual(await eventsOf(session), ['payment.underpaid null', 'payment.overpaid null']);
  assert.equal(await accept(session, ...ids), '200 ');
  const paid = await till.shop.read(session.id);
  assert.deepEqual(paid.wallet_payment!.payments, ids);
  // Each goes back by itself, and only both are all of it.
  await refunds.settled(await refunds.make(session.id, back()));
  assert.equal((await till.shop.read(session.id)).refunded, 'partly');
  await refunds.settled(await refunds.make(session.id, back({ payment: ids[1] })));
  assert.equal((await till.shop.read(session.id)).refunded, 'fully');
  const receipt = await till.tested.get(`/checkout/sessions/${session.id}/receipt`, till.shop.headers);
  const { coins: coinsPaid, refunds: given } = (await receipt.json()) as Receipt;
  assert.deepEqual(
    coinsPaid.map(({ transactionHash }) => transactionHash),
    [less, rest],
  );
  assert.deepEqual(
    given.map(({ status, amount, coins: each }) => [status, amount, each!.amount]),
    [
      ['succeeded', null, formatEther(dollars(quote) - parseEther('2'))],
      ['succeeded', null, '2.0'],
    ].map(([status, amount, text]) => [status, amount, String(text).replace(/\.0$/, '')]),
  );
});

test('a transaction that another page has named is not told to a second one', async () => {
  await till.receive();
  const [mine, theirs] = await Promise.all([till.session(), till.session()]);
  const [quote] = await Promise.all([till.quote(mine), till.quote(theirs)]);
  const hash = await chain.send(payer, RECEIVER, coins(quote) - 1n);
  await till.report(mine, hash);
  await till.until(mine, 'the difference', ({ problem }) => problem === 'underpaid');
  await till.report(theirs, hash);
  await till.until(theirs, 'the answer', ({ problem }) => problem === 'amount');
  assert.deepEqual(await eventsOf(theirs), []);
  assert.equal((await till.shop.read(theirs.id)).wallet_payment, null);
  const { id } = await received(hash);
  assert.equal(await accept(theirs, id), '400 request.invalid');
});

test('what was given back cannot be accepted, and a session waits a day for its shop to decide', async () => {
  await till.receive();
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await chain.send(payer, RECEIVER, coins(quote) - 5n);
  await till.report(session, hash);
  await till.until(session, 'the difference', ({ problem }) => problem === 'underpaid');
  await till.endQuotes(session, 60);
  await till.tested.service.db
    .updateTable('checkout_sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', session.id)
    .execute();
  await poll(
    async () => (await till.page(session)).wallet?.payment?.state === 'expired',
    'the end of the quote',
  );
  assert.equal((await till.shop.read(session.id)).status, 'open');
  const { id } = await received(hash);
  await refunds.settled(await refunds.make(session.id, back({ payment: id, amount: '0.0001' })));
  assert.equal(await accept(session, id), '409 request.conflict');
  const fail = (failure: string) =>
    till.tested.service.db
      .updateTable('refunds')
      .set({ state: 'failed', failure })
      .where('payment_id', '=', id)
      .execute();
  // Nodes have forgotten its transaction, which may be mined all the same.
  await fail('unknown');
  assert.equal(await accept(session, id), '409 request.conflict');
  await fail('reverted');
  assert.equal(await accept(session, id), '200 ');
});

test('accepted and refunded at once, a payment is each at most once, and pays nothing once it is given back', async () => {
  for (let round = 0; round < 3; round++) {
    await till.receive();
    const session = await till.session();
    const quote = await till.quote(session);
    const hash = await chain.send(payer, RECEIVER, coins(quote) - 5n);
    await till.report(session, hash);
    await till.until(session, 'the difference', ({ problem }) => problem === 'underpaid');
    const { id } = await received(hash);
    const give = () => refunds.ask(session.id, back({ payment: id }));
    const [one, first, other, second] = await Promise.all([
      accept(session, id),
      give(),
      accept(session, id),
      give(),
    ]);
    assert.deepEqual([first.outcome, second.outcome].sort(), ['201', REFUSED]);
    const given = [first, second].find(({ outcome }) => outcome === '201')!.body;
    const accepted = [one, other].filter((outcome) => outcome === '200 ').length;
    assert.ok(accepted <= 1, `${one}, ${other}`);
    assert.equal((await till.shop.read(session.id)).payment_status, accepted ? 'paid' : 'unpaid');
    await refunds.settled(given);
    assert.deepEqual((await eventsOf(session)).sort(), [
      ...(accepted ? ['payment.succeeded null'] : []),
      'payment.underpaid null',
      'refund.succeeded null',
    ]);
    assert.equal((await refunds.ask(session.id, back({ payment: id }))).outcome, REFUSED);
    if (!accepted) assert.equal(await accept(session, id), '409 request.conflict');
  }
});

test('a payment after the shop ended the session is told, and can go back', async () => {
  await till.receive();
  const session = await till.session();
  const quote = await till.quote(session);
  const ended = await till.tested.post(`/checkout/sessions/${session.id}/expire`, {}, till.shop.headers);
  assert.equal(ended.status, 200);
  const hash = await chain.send(payer, RECEIVER, coins(quote));
  await poll(async () => (await eventsOf(session)).length === 2, 'the event');
  assert.deepEqual(await eventsOf(session), ['payment.cancelled expired', 'payment.unassigned expired']);
  const { id } = await received(hash);
  const { status, wallet_payment: told } = await till.shop.read(session.id);
  assert.deepEqual([status, told!.status, told!.payments], ['expired', 'unassigned', [id]]);
  assert.equal(await accept(session, id), '400 request.invalid');
  const body = back({ payment: id });
  await refunds.settled(await refunds.make(session.id, body));
  assert.equal(await balance(body.to), coins(quote));
});

test('a shop cannot end a session while a payment by wallet is under way', async () => {
  await till.receive({ confirmations: 5 });
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await chain.send(payer, RECEIVER, coins(quote));
  await till.until(session, 'the payment', ({ state }) => state === 'pending');
  const expire = async (): Promise<string> => {
    const answer = await till.tested.post(`/checkout/sessions/${session.id}/expire`, {}, till.shop.headers);
    return ((await answer.json()) as { code: string }).code;
  };
  assert.equal(await expire(), 'checkout.payment.pending');
  const { id } = await received(hash);
  assert.deepEqual((await refunds.ask(session.id, back({ payment: id }))).body.details, {
    reason: 'unconfirmed',
  });
  await chain.mine(5);
  await till.paid(session);
  assert.equal(await expire(), 'checkout.session.complete');
});
