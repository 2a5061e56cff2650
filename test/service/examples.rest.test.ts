/**
 * The examples of the reference have the form that the service answers: each call is made, through `carabiner/service` where it has it, and
 * what comes back is compared with the call's example, field by field.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as z from 'zod/mini';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { ROUTE_NOTES } from '../../src/api/notes/route-notes.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { draftToJson } from '../../src/api/draft-json.ts';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import { CHECKOUT_SCOPES, type Scope } from '../../src/api/scopes.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import { PolicyRefusedError, ServiceClient } from '../../src/service-sdk/index.ts';
import { poll } from '../waiting.ts';
import { pagePath, payment } from './checkout-setup.ts';
import { OTHER_PIN, PIN } from './custody-setup.ts';
import { newDevice, startUsers, type User, type UsersTest } from './users-setup.ts';

/** Calls that are not made here, with the reason. Their examples are only checked against their schemas. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  readPasskey: 'needs an authenticator: passkeys.test.ts',
  addPasskey: 'needs an authenticator: passkeys.test.ts',
  removePasskey: 'needs an authenticator: passkeys.test.ts',
  speedUpTransaction: 'needs a chain that is held up: execute.test.ts',
  cancelTransaction: 'needs a chain that is held up: execute.test.ts',
  answerChallenge: 'answers as payByCard does',
  setReceivingKey: 'needs a network of Bitcoin or Litecoin: receiving-keys.rest.test.ts',
  deleteReceivingKey: 'needs a network of Bitcoin or Litecoin: receiving-keys.rest.test.ts',
  quoteWalletPayment: 'needs a frame and a price: wallet-payments.test.ts',
  tellWalletPayment: 'needs a frame and a price: wallet-payments.test.ts',
  mailReceipt: 'needs a mail server: receipt-mails.rest.test.ts',
  acceptPayments: 'needs a payment on a chain: wallet-payments.test.ts',
  searchPayments: 'needs a payment on a chain: wallet-payments-addresses.rest.test.ts',
  listWalletPayments: 'needs a payment on a chain: wallet-payments.test.ts',
  createRefundLink: 'needs a payment on a chain: refund-links.test.ts',
  readRefundLink: 'needs a payment on a chain: refund-links.test.ts',
  cancelRefundLink: 'needs a payment on a chain: refund-links.test.ts',
  readRefundRequest: 'needs a payment on a chain: refund-links.test.ts',
  giveRefundAddress: 'needs a payment on a chain: refund-links.test.ts',
};

const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const SITE = 'https://shop.example';

let ethereum: LocalEthereum;
let at: UsersTest;
const realFetch = globalThis.fetch;
/** How a cursor that is none was answered, by list. */
const cursorRefusals = new Map<string, string>();
/** The successful answers of each call. */
const answered = new Map<string, unknown[]>();

const routes = Object.entries(contract as unknown as Record<string, Route>).map(
  ([name, { method, path }]) => ({
    name,
    method,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    /** The more specific path is the one that the router takes. */
    parameters: path.split('{').length,
  }),
);

async function noting(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const response = await realFetch(input, init);
  const { pathname } = new URL(String(input));
  const [route] = routes
    .filter(({ method, path }) => method === (init?.method ?? 'GET') && path.test(pathname))
    .toSorted((one, other) => one.parameters - other.parameters);
  if (route && response.ok)
    answered.set(route.name, [...(answered.get(route.name) ?? []), await response.clone().json()]);
  if (route && response.ok && PAGED.has(route.name))
    cursorRefusals.set(route.name, await withCursor(String(input), init));
  return response;
}

/** Lists whose length other lists bound. */
const SHORT: Readonly<Record<string, string>> = {
  listTokenBalances: 'as many as networks.json and its token lists name',
  listNonFungibles: 'what the node reports of the listed contracts',
  swapPairs: 'as many as networks.json names tokens',
  createSwap: 'the requests of one swap',
  searchPayments: 'the newest of one session',
  executeBatch: 'as many as the request has, at most 100',
};

const lists = Object.entries(contract as unknown as Record<string, Route>).filter(
  ([name, { answer }]) => answer instanceof z.ZodMiniArray && !Object.hasOwn(SHORT, name),
);
const PAGED = new Set(
  lists.flatMap(([name, { query }]) =>
    query instanceof z.ZodMiniObject && 'cursor' in query.shape && 'limit' in query.shape ? [name] : [],
  ),
);

async function withCursor(url: string, init?: RequestInit): Promise<string> {
  const address = new URL(url);
  address.searchParams.set('cursor', 'bm9uZQ');
  const response = await realFetch(address, init);
  const { code, issues } = (await response.json()) as { code?: string; issues?: { path: string }[] };
  return `${response.status} ${code} ${issues?.[0]?.path}`;
}

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  await addExchanges(ethereum);
  at = await startUsers({
    networks: { customNodes: true, reported: [], networks: [ethereum.network] },
    outboundRanges: [readRange('127.0.0.0/8')],
  });
  globalThis.fetch = noting as typeof fetch;
});
after(async () => {
  globalThis.fetch = realFetch;
  await at.close();
  await ethereum.close();
});

async function clientWith(...scopes: Scope[]): Promise<{ id: string; service: ServiceClient }> {
  const { id, secret } = await at.service.client(scopes);
  return { id, service: new ServiceClient({ url: at.service.url, clientId: id, clientSecret: secret }) };
}

const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN } as const;

async function callWallets(service: ServiceClient): Promise<{ id: string; address: string }> {
  const wallet = await service.wallets.create({ ...order, alias: 'Till', identifier: 'till-1' });
  const hash = await ethereum.give('ETH', wallet.address);
  await ethereum.give('DUSD', wallet.address);
  await ethereum.give('NFT', wallet.address);
  const { id } = wallet;
  const key = `0x${'7'.repeat(64)}`;
  await service.wallets.import({ ...order, identifier: 'old-till', key });
  await service.wallets.list({ secretType: 'ETHEREUM' }).all();
  await service.wallets.update(id, { alias: 'Till 2' });
  await service.wallets.read(id);
  await service.wallets.balance(id);
  const { balances } = await service.wallets.tokenBalances(id);
  await service.wallets.tokenBalance(id, balances[0]!.tokenAddress);
  await service.wallets.nonFungibles(id);
  await service.wallets.exportKey(id, { pincode: PIN });
  await service.transactions.status(hash, { secretType: 'ETHEREUM' });
  return wallet;
}

async function callTransactions(service: ServiceClient, walletId: string): Promise<void> {
  const { transactions, wallets, swaps, spendingSessions } = service;
  const request = await transactions.build({
    type: 'TRANSFER',
    secretType: 'ETHEREUM',
    walletId,
    to: TO,
    value: '0.25',
  });
  await transactions.estimate(request);
  const { transactionHash } = await transactions.execute({ ...request, pincode: PIN });
  await poll(async () => {
    const { status } = await transactions.status(transactionHash, { secretType: 'ETHEREUM' });
    return status === 'confirmed';
  }, 'the block');
  await transactions.read(transactionHash, { secretType: 'ETHEREUM' });
  await wallets.transactions(walletId).all();
  const transfer = { type: 'ETH_TRANSACTION', to: TO, value: '1' };
  const many = { type: 'ETH_TRANSACTION', to: TO, value: `1${'0'.repeat(30)}` };
  await transactions.executeBatch({ walletId, pincode: PIN, transactions: [transfer, many] });
  await service.signatures.create({ type: 'ETHEREUM_RAW', walletId, data: '0x68656c6c6f', pincode: PIN });
  const session = await spendingSessions.open(walletId, {
    pincode: PIN,
    limits: [{ amount: '1000' }],
    transactions: 2,
  });
  await spendingSessions.list(walletId).all();
  await spendingSessions.end(walletId, session.id);
  await swaps.pairs(walletId);
  const pair = {
    fromSecretType: 'ETHEREUM',
    toSecretType: 'ETHEREUM',
    fromToken: '',
    toToken: ethereum.contracts['DUSD']!,
    orderType: 'SELL',
  } as const;
  const { bestRate } = await swaps.rates({ ...pair, amount: '0.5' });
  const { exchange, outputAmount } = bestRate!;
  await swaps.create(walletId, { walletId, ...pair, inputAmount: '0.5', outputAmount, exchange });
}

async function callPolicies(service: ServiceClient, walletId: string): Promise<void> {
  const office = await clientWith('manage:policies');
  const colleague = await clientWith('approve:transactions');
  await office.service.policies.set('wallet', walletId, {
    limits: [{ secretType: 'ETHEREUM', perTransaction: '1', perDay: '10' }],
    recipients: [{ secretType: 'ETHEREUM', address: TO }],
    fourEyes: { above: [{ secretType: 'ETHEREUM', amount: '0.1' }], approvers: [colleague.id] },
  });
  await office.service.policies.read('wallet', walletId);
  await office.service.policies.list().all();
  const request = { type: 'ETH_TRANSACTION', walletId, to: TO, value: '200000000000000000', pincode: PIN };
  await assert.rejects(service.transactions.execute(request), PolicyRefusedError);
  const [held] = await colleague.service.approvals.list().all();
  await colleague.service.approvals.approve(held!.id, { draftHash: held!.draftHash });
  await office.service.policies.set('wallet', walletId, {});
  await office.service.policies.withdraw('wallet', walletId);
}

async function callCheckout(service: ServiceClient): Promise<void> {
  const item = {
    price_data: { product_data: { name: 'Mug' }, unit_amount: 1250, currency: 'EUR' },
    quantity: 2,
  };
  const asked = {
    line_items: [item],
    success_url: `${SITE}/thanks`,
    cancel_url: `${SITE}/cart`,
    mode: 'payment',
    metadata: { channel: 'web' },
  } as const;
  const create = () => service.checkoutSessions.create({ ...asked, line_items: [item] });
  const cancel = async () => fetch(`${at.service.url}${pagePath(await create())}/cancel`, { method: 'POST' });
  const free = await service.checkoutSessions.create({
    ...asked,
    line_items: [{ ...item, price_data: { ...item.price_data, unit_amount: 0 } }],
  });
  await fetch(`${at.service.url}${pagePath(free)}/complete`, { method: 'POST' });
  const session = await create();
  await service.checkoutSessions.read(session.id);
  const url = at.service.url + pagePath(session);
  await fetch(`${url}/session`, {});
  await fetch(`${url}/extend`, { method: 'POST' });
  await at.service.post(`${pagePath(session)}/payments`, payment());
  await fetch(`${url}/receipt`);
  await service.checkoutSessions.receipt(session.id);
  const refund = await service.refunds.create(session.id, { amount: 1250, note: 'One mug was broken' });
  await service.refunds.read(session.id, refund.id);
  await service.refunds.list(session.id).all();
  await service.refundLinks.list(session.id).all();
  await service.checkoutSessions.list().all();
  await service.checkoutSessions.expire((await create()).id);
  await cancel();
  await service.receivingWallets.set({ wallets: [{ secretType: 'ETHEREUM', address: TO }] });
  await service.receivingWallets.read();
  await service.receivingWallet.set({ secretType: 'ETHEREUM', address: TO });
  await service.receivingWallet.read();
  await service.receivingWallet.delete();
  const { default: sharp } = await import('sharp');
  const square = { width: 200, height: 200, channels: 3, background: '#123456' } as const;
  const png = await sharp({ create: square }).png().toBuffer();
  const { id: icon } = await service.branding.uploadIcon(
    new Blob([new Uint8Array(png)], { type: 'image/png' }),
    'icon.png',
  );
  await service.branding.set({
    settings: { branding: { primary_color: '#1f4d3a', secondary_color: '#e9a23b', icon } },
  });
  const webhook = await service.webhooks.create({
    url: 'http://127.0.0.1:1/events',
    application: 'PAY',
    authenticationMethod: { type: 'BASIC_AUTHENTICATION', username: 'shop', password: 'correct horse' },
  });
  await service.webhooks.read(webhook.id);
  await service.webhooks.list().all();
  await cancel();
  // The outbox is written in the transaction of the change.
  const [delivery] = await service.webhooks.deliveries(webhook.id).all();
  await service.webhooks.redeliver(webhook.id, delivery!.id);
  await service.webhooks.delete(webhook.id);
}

async function callWalletEvents({ walletWebhooks, wallets }: ServiceClient): Promise<void> {
  const webhook = await walletWebhooks.create({
    url: 'http://127.0.0.1:1/wallet-events',
    authenticationMethod: { type: 'API_KEY', headerName: 'X-Shop-Key', apiKey: 'correct-horse' },
  });
  await walletWebhooks.read(webhook.id);
  await walletWebhooks.list().all();
  const { id } = await wallets.create({ ...order, identifier: 'watched' });
  await wallets.watch(id);
  await wallets.readWatch(id);
  await wallets.unwatch(id);
  const [delivery] = await walletWebhooks.deliveries(webhook.id, { wallet: id }).all();
  await walletWebhooks.redeliver(webhook.id, delivery!.id);
  await walletWebhooks.delete(webhook.id);
}

async function callTokens(service: ServiceClient): Promise<void> {
  await service.profile.read();
  const { id } = await service.clientSecrets.create();
  await service.clientSecrets.list().all();
  await service.clientSecrets.revoke(id);
  const idpToken = await at.provider.sign({ sub: 'somebody' });
  await service.tokens.exchange({ clientId: at.clientId, identityProvider: 'google', idpToken });
  const realm = `${at.service.url}/auth/realms/main`;
  await fetch(`${realm}/protocol/openid-connect/certs`, {});
  await fetch(`${realm}/.well-known/openid-configuration`, {});
}

async function callUsers(user: User): Promise<void> {
  const wallet = await user.wallet();
  const { id: walletId, address } = wallet;
  await user.call('GET', '/api/account');
  const { body } = await user.call<{ recoveryCode: string }>('POST', '/api/pincode/recovery-code', {
    pincode: PIN,
  });
  const device = await newDevice();
  await user.call('POST', '/api/devices', { pincode: PIN, recoveryCode: body.recoveryCode }, { device });
  await user.call('GET', '/api/devices');
  // A proof is of one URL, so this one is no repetition.
  const { outcome } = await user.call('GET', '/api/devices?cursor=bm9uZQ');
  cursorRefusals.set('listDevices', outcome);
  await user.call('DELETE', `/api/devices/${device.thumbprint}`);
  await user.call('PUT', '/api/links', { origin: SITE, walletIds: [walletId] });
  await user.call('GET', `/api/links?origin=${encodeURIComponent(SITE)}`);
  await ethereum.give('ETH', address);
  const chain = await loadChain('ETHEREUM');
  const { parse } = await loadPayloads('ETHEREUM');
  const request = parse({ type: 'ETH_TRANSACTION', walletId, to: TO, value: 1, data: '0x' });
  const draft = draftToJson(await chain.prepare(request, address, chain.node(ethereum.network)));
  await user.call('POST', '/api/transactions/approved', { walletId, pincode: PIN, draft });
  await user.call('POST', '/api/recipients', { email: 'ann@shop.example', secretType: 'ETHEREUM' });
  await user.call('POST', '/api/pincode', { pincode: PIN, next: OTHER_PIN });
  const { body: own } = await user.call<{ recoveryCode: string }>(
    'POST',
    `/api/wallets/${walletId}/pincode`,
    {
      pincode: OTHER_PIN,
      next: PIN,
    },
  );
  await user.call('POST', '/api/pincode/recover', {
    walletId,
    recoveryCode: own.recoveryCode,
    next: OTHER_PIN,
  });
}

/** Where two values differ in form. Null and an empty list say nothing about theirs. */
function differences(example: unknown, real: unknown, place: string): string[] {
  if (example === null || real === null) return [];
  if (Array.isArray(example) && Array.isArray(real)) {
    if (example.length === 0 || real.length === 0) return [];
    return differences(example[0], real[0], `${place}[0]`);
  }
  if (typeof example !== 'object' || typeof real !== 'object')
    return typeof example === typeof real
      ? []
      : [`${place} is a ${typeof example} in the example, and a ${typeof real}`];
  const names = [...new Set([...Object.keys(example), ...Object.keys(real)])];
  return names.flatMap((name) => {
    const here = `${place}.${name}`;
    if (!(name in example)) return [`${here} is answered, and is not in the example`];
    if (!(name in real)) return [`${here} is in the example, and is not answered`];
    return differences(
      (example as Record<string, unknown>)[name],
      (real as Record<string, unknown>)[name],
      here,
    );
  });
}

test('every example has the fields that the service answers, and no others', async () => {
  const shop = await clientWith(
    'view:wallets',
    'view:profile',
    'whitelabel',
    'save:transaction',
    'sign:wallets',
    ...CHECKOUT_SCOPES,
  );
  const wallet = await callWallets(shop.service);
  await callTransactions(shop.service, wallet.id);
  await callPolicies(shop.service, wallet.id);
  await callCheckout(shop.service);
  await callWalletEvents(shop.service);
  await callTokens(shop.service);
  const ann = await at.provider.sign({ sub: 'ann', email: 'ann@shop.example', email_verified: true });
  await at.call('', 'POST', '/auth/exchange', {
    clientId: at.clientId,
    identityProvider: 'google',
    idpToken: ann,
  });
  await (await at.user('ann')).wallet();
  await callUsers(await at.user());
  const missing = routes
    .map(({ name }) => name)
    .filter((name) => !answered.has(name) && !Object.hasOwn(NOT_CALLED, name));
  assert.deepEqual(missing, [], 'make these calls here and let them succeed, or say in NOT_CALLED why not');
  const wrong = [...answered].flatMap(([name, answers]) => {
    const found = answers.map((real) => differences(ROUTE_NOTES[name]?.answer, real, name));
    // One of the answers is the example's kind: with the recovery code, for instance, or not yet confirmed.
    return found.some((each) => each.length === 0) ? [] : found[0]!;
  });
  assert.deepEqual(wrong, []);
  for (const name of Object.keys(NOT_CALLED))
    assert.ok(!answered.has(name), `${name} is called: take it from NOT_CALLED`);
});

test('every list is paged, and refuses a cursor that is none of its own', () => {
  assert.deepEqual(
    lists.map(([name]) => name).filter((name) => !PAGED.has(name)),
    [],
    'add paging to their query, or say in SHORT why they end',
  );
  for (const name of PAGED)
    if (!Object.hasOwn(NOT_CALLED, name))
      assert.equal(cursorRefusals.get(name), '400 request.invalid cursor', name);
});
