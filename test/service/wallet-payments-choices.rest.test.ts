/** Several receiving wallets: the shop's list, what customers choose from it, and what was set before there were several. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseUnits } from '../../src/base/amount.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { PayChoice, WalletPayment } from '../../src/api/pay.ts';
import type { Problem } from '../../src/api/problem.ts';
import type {
  PutReceivingWallet,
  ReceivingWallet,
  ReceivingWallets,
} from '../../src/api/receiving-wallet.ts';
import { toEvm } from '../../src/chains/tron/address.ts';
import { poll } from '../waiting.ts';
import { openShop, pagePath } from './checkout-setup.ts';
import {
  AE_RECEIVER,
  startAeternityRail,
  startMarket,
  TRON_RECEIVER,
  TronRails,
} from './wallet-payments-rails.ts';
import { ERC20, openTill, type Till } from './wallet-payments-setup.ts';

const LIST = '/account/settings/receiving-wallets';
const ONLY = '/account/settings/receiving-wallet';

let market: Awaited<ReturnType<typeof startMarket>>;
let tron: TronRails;
let aeternity: Awaited<ReturnType<typeof startAeternityRail>>;
let till: Till;
let wallets: Record<'USDT' | 'TRX' | 'AE', PutReceivingWallet>;

before(async () => {
  [market, tron, aeternity] = await Promise.all([startMarket(), TronRails.start(), startAeternityRail()]);
  const networks = [tron.local.network, aeternity.network];
  for (const network of networks) network.prices = market.prices(network);
  till = await openTill(networks);
  wallets = {
    USDT: { secretType: 'TRON', tokenAddress: tron.dollar, address: TRON_RECEIVER },
    TRX: { secretType: 'TRON', address: TRON_RECEIVER },
    AE: { secretType: 'AETERNITY', address: AE_RECEIVER, tolerance: 0.5 },
  };
});
after(async () => {
  await till?.close();
  await Promise.all([market?.close(), tron?.close(), aeternity?.close()]);
});

const send = (method: string, path: string, body?: unknown, headers = till.shop.headers) =>
  fetch(till.tested.url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function setAll(...list: PutReceivingWallet[]): Promise<ReceivingWallet[]> {
  const answer = await send('PUT', LIST, { wallets: list });
  assert.equal(answer.status, 200, await answer.clone().text());
  return ((await answer.json()) as ReceivingWallets).wallets;
}

const readAll = async (): Promise<ReceivingWallet[]> =>
  ((await (await send('GET', LIST)).json()) as ReceivingWallets).wallets;

const nameOf = ({ secretType, tokenAddress }: Pick<PayChoice, 'secretType' | 'tokenAddress'>): string =>
  tokenAddress ? 'USDT' : secretType === 'TRON' ? 'TRX' : 'AE';

async function choose(session: CheckoutSession, choice: PayChoice): Promise<WalletPayment> {
  const query = new URLSearchParams({
    network: choice.network,
    ...(choice.tokenAddress && { tokenAddress: choice.tokenAddress }),
  });
  const answer = await fetch(`${till.tested.url}${pagePath(session)}/wallet/quote?${query}`, {
    method: 'POST',
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as WalletPayment;
}

async function choicesOf(session: CheckoutSession): Promise<Record<'USDT' | 'TRX' | 'AE', PayChoice>> {
  const { choices } = (await till.page(session)).wallet!;
  return Object.fromEntries(choices.map((choice) => [nameOf(choice), choice])) as never;
}

test('receiving wallets are set as a list, in the shop’s order, and each change is in the audit log', async () => {
  const { db } = till.tested.service;
  const changes = async () =>
    (
      await db
        .selectFrom('audit_log')
        .select(['actor', 'details'])
        .where('action', '=', 'receiving-wallet.changed')
        .orderBy('position')
        .execute()
    ).map(
      ({ actor, details }) =>
        [actor, JSON.parse(String(details)) as { by: string; wallets: object[] }] as const,
    );
  assert.deepEqual(await readAll(), []);
  const set = await setAll(wallets.USDT, wallets.AE, wallets.TRX);
  assert.deepEqual(set.map(nameOf), ['USDT', 'AE', 'TRX']);
  assert.deepEqual(
    set.map(({ tolerance }) => tolerance),
    [0, 0.5, 0],
  );
  assert.deepEqual(await readAll(), set);
  assert.deepEqual(await (await send('GET', ONLY)).json(), set[0]);
  // The same again changes nothing; another order keeps the dates.
  assert.deepEqual(await setAll(wallets.USDT, wallets.AE, wallets.TRX), set);
  const turned = await setAll(wallets.TRX, wallets.USDT, wallets.AE);
  assert.deepEqual(turned, [set[2], set[0], set[1]]);
  assert.equal((await changes()).length, 2);
  const [actor, { by, wallets: noted }] = (await changes()).at(-1)!;
  assert.equal(by, 'token');
  assert.equal(
    actor,
    set.length &&
      (await db.selectFrom('receiving_wallets').select('application_id').executeTakeFirstOrThrow())
        .application_id,
  );
  assert.deepEqual(noted[1], {
    network: set[0]!.network,
    token: tron.dollar,
    address: TRON_RECEIVER,
    confirmations: set[0]!.confirmations,
  });

  const other = await openShop(till.tested);
  const theirs = await send('GET', LIST, undefined, other.headers);
  assert.deepEqual(await theirs.json(), { wallets: [] });
  assert.equal((await send('PUT', LIST, { wallets: [] }, {} as never)).status, 401);
  // The call from when there was one makes it the only one.
  assert.equal((await send('PUT', ONLY, wallets.AE)).status, 200);
  assert.deepEqual((await readAll()).map(nameOf), ['AE']);
  await setAll(wallets.USDT, wallets.AE);
  assert.equal((await send('DELETE', ONLY)).status, 200);
  assert.deepEqual(await readAll(), []);
  assert.equal((await changes()).length, 5);
});

test('a list with anything wrong is refused at each field, and the one before stays', async () => {
  const before = await setAll(wallets.USDT);
  for (const [list, paths] of [
    [[wallets.USDT, { ...wallets.TRX, address: AE_RECEIVER }], ['wallets.1.address']],
    [
      [
        { ...wallets.AE, network: 'nowhere' },
        { ...wallets.USDT, tokenAddress: TRON_RECEIVER },
      ],
      ['wallets.0.network', 'wallets.1.tokenAddress'],
    ],
    [[wallets.USDT, wallets.AE, wallets.USDT], ['wallets.2.tokenAddress']],
    [[wallets.TRX, { ...wallets.TRX, confirmations: 3 }], ['wallets.1.network']],
    [[{ ...wallets.AE, tolerance: 5.01 }], ['wallets.0.tolerance']],
    [[{ ...wallets.AE, tolerance: -1 }], ['wallets.0.tolerance']],
    [[{ ...wallets.AE, tolerance: 0.001 }], ['wallets.0.tolerance']],
    [Array.from({ length: 21 }, () => wallets.AE), ['wallets']],
    ['none', ['wallets']],
  ] as [unknown, string[]][]) {
    const answer = await send('PUT', LIST, { wallets: list });
    const { code, issues } = (await answer.json()) as Problem;
    assert.equal(`${answer.status} ${code}`, '400 request.invalid', JSON.stringify(list));
    assert.deepEqual(issues!.map(({ path }) => path).sort(), paths);
  }
  assert.deepEqual(await readAll(), before);
});

test('the customer chooses a coin and a network, and each price stands while it is valid', async () => {
  await setAll(wallets.USDT, wallets.TRX, wallets.AE);
  const session = await till.session(2999, 'USD');
  const { wallet } = await till.page(session);
  assert.deepEqual(wallet!.choices.map(nameOf), ['USDT', 'TRX', 'AE']);
  assert.equal(nameOf(wallet!), 'USDT');
  const choices = await choicesOf(session);
  const dollars = await till.quote(session);
  const coins = await choose(session, choices.AE);
  assert.equal(coins.to, AE_RECEIVER);
  assert.notEqual(coins.amount, dollars.amount);
  const shown = (await till.page(session)).wallet!;
  assert.deepEqual([nameOf(shown), shown.payment!.amount], ['AE', coins.amount]);
  // Without a choice it is what was chosen last; the first price is still there.
  assert.equal((await till.quote(session)).amount, coins.amount);
  assert.deepEqual(await choose(session, choices.USDT), dollars);
  assert.equal(nameOf((await till.page(session)).wallet!), 'USDT');
  const refused = await fetch(`${till.tested.url}${pagePath(session)}/wallet/quote?network=nowhere`, {
    method: 'POST',
  });
  assert.equal(((await refused.json()) as Problem).code, 'checkout.wallet.unavailable');
});

test('each of several prices pays the session, and a second payment in another coin is the shop’s to refund', async () => {
  await setAll(wallets.USDT, wallets.AE);
  const session = await till.session(2999, 'USD');
  const choices = await choicesOf(session);
  const coins = await choose(session, choices.AE);
  const dollars = await choose(session, choices.USDT);
  // What was chosen first is paid, though the page shows something else.
  await aeternity.pay(parseUnits(coins.amount, 18));
  await till.paid(session);
  const hash = await tron.rail(true).pay(parseUnits(dollars.amount, 18));
  const second = async () => (await till.received()).find(({ transactionHash }) => transactionHash === hash);
  await poll(async () => (await second())?.state === 'unassigned', 'the second payment');
  assert.deepEqual([(await second())!.reason, (await second())!.sessionId], ['complete', session.id]);
  assert.deepEqual(
    (await till.shop.events(session.id)).map(({ type }) => type),
    ['payment.succeeded', 'payment.unassigned'],
  );
});

test('a payment that is under way is what the page shows, whatever is chosen then', async () => {
  await setAll({ ...wallets.USDT, confirmations: 3 }, wallets.AE);
  const session = await till.session(2999, 'USD');
  const choices = await choicesOf(session);
  const dollars = await till.quote(session);
  await tron.rail(true).pay(parseUnits(dollars.amount, 18));
  await till.until(session, 'the block', ({ state }) => state === 'pending');
  assert.equal((await choose(session, choices.AE)).amount, dollars.amount);
  const { wallet } = await till.page(session);
  assert.deepEqual([nameOf(wallet!), wallet!.choices], ['USDT', []]);
  tron.rail(true).mine(2);
  await till.paid(session);
});

test('metrics say how often there was a price, and why there was none', async () => {
  const count = async (result: string): Promise<number> => {
    const text = await (await till.tested.get('/metrics')).text();
    const name = `wallet_prices_total{network="${aeternity.network.id}",result="${result}"}`;
    const line = text.split('\n').find((each) => each.startsWith(name));
    return Number(line?.slice(name.length) ?? 0);
  };
  await setAll(wallets.AE);
  const [given, unreachable] = [await count('given'), await count('unreachable')];
  await till.quote(await till.session(2999, 'USD'));
  assert.deepEqual([await count('given'), await count('unreachable')], [given + 1, unreachable]);
  const { network } = aeternity;
  const { prices } = network;
  const gone = ['a', 'b', 'c'].map((name) => ({ shape: 'plain', url: `http://127.0.0.1:9/${name}` }));
  network.prices = { '*': { source: 'oracle', rates: { 'AE/USD': gone } } };
  try {
    const session = await till.session(2999, 'USD');
    assert.equal(await till.refused(session, 'quote'), '422 checkout.wallet.no-price');
  } finally {
    network.prices = prices;
  }
  assert.deepEqual([await count('given'), await count('unreachable')], [given + 1, unreachable + 1]);
});

test('a hundred sessions at a time get a price each, in either coin, and every one is paid once', async () => {
  await setAll(wallets.USDT, wallets.TRX);
  const sessions = await Promise.all(Array.from({ length: 100 }, () => till.session(2999, 'USD')));
  const choices = await choicesOf(sessions[0]!);
  const quotes = await Promise.all(
    sessions.map((session, i) => choose(session, i % 2 ? choices.TRX : choices.USDT)),
  );
  assert.equal(new Set(quotes.map(({ amount }) => amount)).size, 100);
  const { local } = tron;
  let isSent = false;
  const sent = Promise.all(
    quotes.map(({ amount }, i) =>
      i % 2
        ? local.fund(TRON_RECEIVER, parseUnits(amount, 6))
        : local.call(
            tron.dollar,
            ERC20.encodeFunctionData('transfer', [toEvm(TRON_RECEIVER), parseUnits(amount, 18)]).slice(2),
          ),
    ),
  ).finally(() => (isSent = true));
  while (!isSent) {
    await poll(() => isSent || local.ledger.hasPending, 'payments');
    local.ledger.mine();
  }
  await sent;
  const { db } = till.tested.service;
  const ids = sessions.map(({ id }) => id);
  const told = () =>
    db.selectFrom('events').select(['session_id', 'type']).where('session_id', 'in', ids).execute();
  await poll(async () => (await told()).length >= 100, 'that all are paid');
  const events = await told();
  assert.equal(new Set(events.map(({ session_id }) => session_id)).size, 100);
  assert.deepEqual([...new Set(events.map(({ type }) => type)), events.length], ['payment.succeeded', 100]);
});
