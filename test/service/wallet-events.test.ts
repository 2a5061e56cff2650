/** Receivers of events of wallets, and the events of new wallets and of transactions. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { parseEther, Wallet as Key } from 'ethers';
import type {
  CreatedWalletWebhook,
  ListedWalletWebhook,
  WalletDelivery,
  WalletEvent,
} from '../../src/api/wallet-event.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { type NodeProxy, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import { poll } from '../waiting.ts';
import { PIN } from './custody-setup.ts';
import { startTold, type Told } from './deposits-setup.ts';
import {
  API_KEY,
  BASIC,
  merchantOf,
  newSession,
  type Receiver,
  recordEvent,
  startReceiver,
  verify,
} from './webhooks-setup.ts';

let ethereum: LocalEthereum;
let node: NodeProxy;
let told: Told;
/** For receivers besides that of `told`. */
let elsewhere: Receiver;

before(async () => {
  [ethereum, elsewhere] = await Promise.all([startEthereum({ port: 0 }), startReceiver()]);
  node = await startNodeProxy({ target: ethereum.url, port: 0 });
  told = await startTold([{ ...ethereum.network, nodes: [node.url] }]);
});
after(async () => {
  await told?.close();
  await elsewhere?.close();
  await node?.close();
  await ethereum?.close();
});
beforeEach(() => {
  told.receiver.arrived.length = 0;
  elsewhere.arrived.length = 0;
});

/** The events about a wallet of this type, once there are as many. */
async function eventsOf<T extends WalletEvent['type']>(
  type: T,
  walletId: string,
  count = 1,
): Promise<Extract<WalletEvent, { type: T }>[]> {
  const found = () =>
    told.events().filter((event) => event.type === type && event.data.wallet.id === walletId) as Extract<
      WalletEvent,
      { type: T }
    >[];
  await poll(() => found().length >= count, `${count} × ${type}`);
  return found();
}

const register = (token: string, more: object = {}) =>
  told.shop.call<CreatedWalletWebhook>(token, 'POST', '/api/webhooks', {
    url: elsewhere.url,
    authenticationMethod: BASIC,
    ...more,
  });

test('a new wallet is told as the API answers it, and an imported one, too', async () => {
  const { shop } = told;
  const made = await shop.wallet('ETHEREUM', { alias: 'till', identifier: 'till 1' });
  const [event] = await eventsOf('wallet.created', made.id);
  const { body } = await shop.call<Wallet>(shop.shop, 'GET', `/api/wallets/${made.id}`);
  const { balance: _, ...wallet } = body;
  assert.deepEqual(event!.data, { wallet });
  assert.equal(told.receiver.arrived[0]!.headers['webhook-id'], event!.id);
  const { privateKey, address } = Key.createRandom();
  const imported = await shop.call<Wallet>(shop.shop, 'POST', '/api/wallets/import', {
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    key: privateKey,
    pincode: PIN,
  });
  const [second] = await eventsOf('wallet.created', imported.body.id);
  assert.equal(second!.data.wallet.address, address);
  // Neither key nor recovery code is in it.
  for (const { body: sent } of told.receiver.arrived) {
    assert.ok(!sent.includes(privateKey.slice(2)));
    assert.ok(!sent.includes('recoveryCode'));
  }
});

test('the same request again makes neither a wallet nor an event', async () => {
  const { shop } = told;
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', identifier: 'twice', pincode: PIN };
  const both = await Promise.all(
    [1, 2].map(() => shop.call<Wallet>(shop.shop, 'POST', '/api/wallets', order)),
  );
  const [{ body }] = both as [(typeof both)[number]];
  await shop.call(shop.shop, 'POST', '/api/wallets', order);
  await eventsOf('wallet.created', body.id);
  const { count } = await told.shop.service.service.db
    .selectFrom('events')
    .select((is) => is.fn.countAll<string>().as('count'))
    .where('wallet_id', '=', body.id)
    .executeTakeFirstOrThrow();
  assert.equal(count, '1');
});

test('a confirmed transaction is told once, as its history has it', async () => {
  const { shop } = told;
  const wallet = await shop.wallet('ETHEREUM');
  await ethereum.fund(wallet.address, parseEther('1'));
  const { body } = await shop.execute({
    type: 'ETH_TRANSACTION',
    walletId: wallet.id,
    to: Key.createRandom().address,
    value: '1000',
  });
  await poll(async () => (await shop.status(body.transactionHash)) === 'confirmed', 'confirmation');
  const [event] = await eventsOf('transaction.confirmed', wallet.id);
  const [entry] = (await shop.call<object[]>(shop.shop, 'GET', `/api/wallets/${wallet.id}/transactions`))
    .body;
  assert.deepEqual(event!.data, {
    wallet: { id: wallet.id, address: wallet.address, secretType: 'ETHEREUM' },
    transaction: entry,
  });
  await shop.status(body.transactionHash);
  assert.equal((await eventsOf('transaction.confirmed', wallet.id)).length, 1);
});

test('what is mined without effect, refused or replaced has failed', async () => {
  const { shop } = told;
  const { service } = shop.service;
  const wallet = await shop.wallet('ETHEREUM');
  await ethereum.fund(wallet.address, parseEther('1'));
  const sent = await shop.execute({
    type: 'ETH_TRANSACTION',
    walletId: wallet.id,
    to: Key.createRandom().address,
    value: '1000',
  });
  assert.equal(sent.outcome, '200');
  const { settle } = await import('../../service/transactions/settling.ts');
  const { entryOf } = await import('../../service/transactions/journal.ts');
  const rowOf = () =>
    service.db
      .selectFrom('transactions')
      .selectAll()
      .where('wallet_id', '=', wallet.id)
      .executeTakeFirstOrThrow();
  for (const state of ['failed', 'refused', 'replaced', 'expired', 'dropped'] as const) {
    await service.db
      .updateTable('transactions')
      .set({ state: 'sent' })
      .where('wallet_id', '=', wallet.id)
      .execute();
    await settle(service.db, service, entryOf(await rowOf()), state);
    // Whoever comes later changes nothing, and tells nothing.
    await settle(service.db, service, { ...entryOf(await rowOf()), state: 'sent' }, 'confirmed');
  }
  const failed = await eventsOf('transaction.failed', wallet.id, 4);
  assert.deepEqual(failed.map(({ data }) => data.transaction.reason ?? 'without effect').sort(), [
    'expired',
    'refused',
    'replaced',
    'without effect',
  ]);
  // It may still get into a block.
  assert.equal(failed.length, 4);
  assert.ok(
    !told.events().some(({ type, data }) => type === 'transaction.confirmed' && data.wallet.id === wallet.id),
  );
});

test('a state and its event are stored together, or neither', async () => {
  const { shop } = told;
  const { service } = shop.service;
  const wallet = await shop.wallet('ETHEREUM');
  await ethereum.fund(wallet.address, parseEther('1'));
  await shop.execute({
    type: 'ETH_TRANSACTION',
    walletId: wallet.id,
    to: Key.createRandom().address,
    value: '1000',
  });
  const { settle } = await import('../../service/transactions/settling.ts');
  const { entryOf } = await import('../../service/transactions/journal.ts');
  const read = () =>
    service.db
      .selectFrom('transactions')
      .selectAll()
      .where('wallet_id', '=', wallet.id)
      .executeTakeFirstOrThrow();
  const row = await read();
  const broken = {
    ...service,
    get networks(): never {
      throw new Error('no networks');
    },
  };
  await assert.rejects(settle(service.db, broken, { ...entryOf(row), state: 'sent' }, 'failed'));
  assert.equal((await read()).state, row.state);
});

test('a receiver is told only of the types that it asked for, with its own key', async () => {
  const { shop } = told;
  const { body: other } = await register(shop.shop, {
    events: ['transaction.failed', 'wallet.created', 'wallet.created'],
    authenticationMethod: API_KEY,
  });
  assert.deepEqual(other.events, ['wallet.created', 'transaction.failed']);
  assert.equal(other.allWallets, true);
  const wallet = await shop.wallet('ETHEREUM');
  await poll(() => elsewhere.arrived.length === 1, 'the event');
  const [mine] = elsewhere.arrived;
  assert.equal(mine!.headers['x-shop-key'], API_KEY.apiKey);
  verify(other, mine!);
  await ethereum.fund(wallet.address, parseEther('1'));
  const { body } = await shop.execute({
    type: 'ETH_TRANSACTION',
    walletId: wallet.id,
    to: Key.createRandom().address,
    value: '1',
  });
  await poll(async () => (await shop.status(body.transactionHash)) === 'confirmed', 'confirmation');
  await eventsOf('transaction.confirmed', wallet.id);
  const deliveries = await shop.call<WalletDelivery[]>(
    shop.shop,
    'GET',
    `/api/webhooks/${other.id}/deliveries?wallet=${wallet.id}`,
  );
  assert.deepEqual(
    deliveries.body.map(({ type, walletId }) => [type, walletId]),
    [['wallet.created', wallet.id]],
  );
  const again = await shop.call<WalletDelivery>(
    shop.shop,
    'POST',
    `/api/webhooks/${other.id}/deliveries/${deliveries.body[0]!.id}/redeliver`,
  );
  assert.equal(again.body.state, 'waiting');
  await poll(() => elsewhere.arrived.length === 2, 'the second delivery');
  assert.equal(elsewhere.arrived[1]!.body, mine!.body);
  assert.equal((await shop.call(shop.shop, 'DELETE', `/api/webhooks/${other.id}`)).outcome, '200');
});

test('events of payments and of wallets go to receivers of their own', async () => {
  const { service } = told.shop;
  const merchant = await merchantOf(service);
  const payments = await merchant.register(elsewhere.url);
  const { access_token: token } = await service.tokens(['view:wallets', 'whitelabel', 'webhooks']);
  assert.deepEqual((await told.shop.call<ListedWalletWebhook[]>(token, 'GET', '/api/webhooks')).body, []);
  assert.equal(
    (await told.shop.call(merchant.headers['Authorization']!.slice(7), 'GET', '/api/webhooks')).outcome,
    '403 token.scope',
  );
  await recordEvent(service.service.db, await newSession(service.service.db, merchant.id));
  await poll(async () => (await merchant.deliveries(payments))[0]?.state === 'delivered', 'the payment');
  assert.deepEqual(await told.deliveries('?state=waiting'), []);
  assert.deepEqual(
    elsewhere.arrived.map(({ event }) => event.type),
    ['payment.succeeded'],
  );
  // Nor can one be read, or its deliveries sent again, by the other's paths.
  for (const path of ['', '/deliveries'])
    assert.equal(
      (
        await service.get(`/webhooks/${told.webhook.id}${path}`, {
          Authorization: `Bearer ${told.shop.shop}`,
        })
      ).status,
      404,
    );
});

test('an application is told of its own wallets, and with use:all-wallets of those of its users', async () => {
  const { shop } = told;
  const user = await shop.user();
  const wallet = await user.wallet();
  const [event] = await eventsOf('wallet.created', wallet.id);
  assert.equal(event!.data.wallet.walletType, 'THREEWAY_SHARED');
  // The same application, with a token that sees its own wallets only.
  const scopes = ['view:wallets', 'webhooks'] as const;
  const own = { accountId: shop.clientId, clientId: shop.clientId, scopes };
  const { access_token: narrow } = await shop.service.service.tokens.issue(own);
  const { body: narrowed } = await register(narrow);
  assert.equal(narrowed.allWallets, false);
  const second = await (await shop.user()).wallet();
  const till = await shop.wallet('ETHEREUM');
  await eventsOf('wallet.created', second.id);
  await eventsOf('wallet.created', till.id);
  const seen = await shop.call<WalletDelivery[]>(narrow, 'GET', `/api/webhooks/${narrowed.id}/deliveries`);
  assert.deepEqual(
    seen.body.map(({ walletId }) => walletId),
    [till.id],
  );
  // Nor may it find the receivers of users' events, which would show it their wallets.
  const listed = await shop.call<ListedWalletWebhook[]>(narrow, 'GET', '/api/webhooks');
  assert.deepEqual(
    listed.body.map(({ id }) => id),
    [narrowed.id],
  );
  const { body: deliveries } = await shop.call<WalletDelivery[]>(
    shop.shop,
    'GET',
    `/api/webhooks/${told.webhook.id}/deliveries`,
  );
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/${deliveries[0]!.id}/redeliver`],
    ['DELETE', ''],
  ] as const)
    assert.equal(
      (await shop.call(narrow, method, `/api/webhooks/${told.webhook.id}${path}`)).outcome,
      '404 request.not-found',
    );
  assert.equal((await shop.call(shop.shop, 'GET', `/api/webhooks/${told.webhook.id}`)).outcome, '200');
  await shop.call(narrow, 'DELETE', `/api/webhooks/${narrowed.id}`);
  // A stranger's application is told nothing, and finds nothing.
  const { access_token: stranger } = await shop.service.tokens([
    'view:wallets',
    'use:all-wallets',
    'webhooks',
  ]);
  for (const path of ['', '/deliveries'])
    assert.equal(
      (await shop.call(stranger, 'GET', `/api/webhooks/${told.webhook.id}${path}`)).outcome,
      '404 request.not-found',
    );
  assert.equal((await user.call('GET', '/api/webhooks')).outcome, '403 token.scope');
});

test('what is wrong with a registration is said, and addresses inside are refused', async () => {
  const { shop } = told;
  const outcome = async (more: object): Promise<string> => (await register(shop.shop, more)).outcome;
  assert.equal(await outcome({ events: [] }), '400 request.invalid events');
  assert.equal(await outcome({ events: null }), '400 request.invalid events');
  assert.equal(await outcome({ events: ['payment.succeeded'] }), '400 request.invalid events.0');
  assert.equal(await outcome({ url: 'nonsense' }), '400 request.invalid url');
  assert.equal(await outcome({ url: 'https://10.0.0.1/x' }), '400 request.invalid url');
  assert.equal(await outcome({ url: 'http://example.com/x' }), '400 request.invalid url');
  assert.equal(await outcome({ application: 'PAY' }), '400 request.invalid application');
  assert.equal(
    await outcome({ authenticationMethod: { ...API_KEY, headerName: 'Webhook-Id' } }),
    '400 request.invalid authenticationMethod.headerName',
  );
});

test('secrets are shown once, and registering and deleting are in the audit log', async () => {
  const { shop } = told;
  const { body: made } = await register(shop.shop, { authenticationMethod: API_KEY });
  const listed = await shop.call<ListedWalletWebhook[]>(shop.shop, 'GET', '/api/webhooks');
  const one = await shop.call<ListedWalletWebhook>(shop.shop, 'GET', `/api/webhooks/${made.id}`);
  assert.deepEqual(
    listed.body.find(({ id }) => id === made.id),
    one.body,
  );
  assert.deepEqual(one.body.authenticationMethod, { type: 'API_KEY' });
  assert.ok(!JSON.stringify([listed.body, one.body]).includes(made.signingSecret));
  assert.ok(!JSON.stringify([listed.body, one.body]).includes(API_KEY.apiKey));
  await shop.call(shop.shop, 'DELETE', `/api/webhooks/${made.id}`);
  const rows = await shop.service.service.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'details'])
    .where('subject', '=', `webhook:${made.id}`)
    .orderBy('position')
    .execute();
  assert.deepEqual(
    rows.map(({ action, actor }) => [action, actor]),
    [
      ['webhook.created', shop.clientId],
      ['webhook.deleted', shop.clientId],
    ],
  );
  assert.ok(!rows.some(({ details }) => details.includes(API_KEY.apiKey)));
});

test('a revoked application is told nothing more', async () => {
  const { service } = told.shop;
  const client = await service.client(['view:wallets', 'whitelabel', 'webhooks']);
  const scopes = ['view:wallets', 'whitelabel', 'webhooks'] as const;
  const own = { accountId: client.id, clientId: client.id, scopes };
  const { access_token: token } = await service.service.tokens.issue(own);
  const { body: webhook } = await register(token);
  await service.service.db
    .updateTable('clients')
    .set({ revoked_at: new Date() })
    .where('id', '=', client.id)
    .execute();
  const { wallet } = await service.service.custody.createWallet({
    ownerId: client.id,
    applicationId: client.id,
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    kind: 'local',
    pin: PIN,
    pinOf: 'wallet',
  });
  await service.service.events.with(service.service.db, (_tx, tell) =>
    tell(wallet.id, 'wallet.deposit', () => assert.fail('nobody is told')),
  );
  const deliveries = await service.service.db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhook.id)
    .execute();
  assert.deepEqual(deliveries, []);
});
