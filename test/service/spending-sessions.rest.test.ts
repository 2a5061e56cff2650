/** Spending sessions: what a token may spend without the PIN, and what ends it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Interface, JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { type Call, type NodeProxy, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import { listAudit, verifyAudit } from '../../service/audit/audit-log.ts';
import { revokeClient } from '../../service/auth/clients.ts';
import { outflowOf } from '../../service/transactions/session-limits.ts';
import type { OpenedSpendingSession, SpendingSession } from '../../src/api/spending-session.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Amount } from '../../src/chains/coin.ts';
import type { Part, Summary } from '../../src/chains/approval/summary.ts';
import { ServiceClient } from '../../src/service-sdk/index.ts';
import { OTHER_PIN, PIN, QUICK } from './custody-setup.ts';
import { mined, type Shop, startShop } from './execute-setup.ts';
import { nextPage, TOKEN_PATH } from './harness.ts';
import { asService } from './row-security.ts';
import type { Answered } from './users-setup.ts';

const ERC20 = new Interface([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
]);
const MINUTE = 60_000;
const ENDED = '403 wallet.session.ended';
const LIMIT = '422 wallet.session.limit';

let ethereum: LocalEthereum;
let provider: JsonRpcProvider;
let front: NodeProxy;
let shop: Shop;
let till: CreatedWallet;
let now = Date.now();
let onCall: ((calls: Call[]) => Promise<void>) | undefined;

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  front = await startNodeProxy({ target: ethereum.url, port: 0, before: (calls) => onCall?.(calls) });
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const options = { pins: { cost: QUICK, now: () => now } };
  shop = await startShop([{ ...ethereum.network, nodes: [front.url] }], {}, options);
  till = await shop.wallet();
  await ethereum.fund(till.address, parseEther('100'));
  await ethereum.give('DUSD', till.address);
});

after(async () => {
  provider?.destroy();
  await shop?.close();
  await front?.close();
  await ethereum?.close();
});

beforeEach(() => {
  now = Date.now();
  onCall = undefined;
});

const ETHER = { amount: String(parseEther('1')) };

async function ask(order: object = {}, { wallet = till.id, token = shop.shop } = {}) {
  const body = { pincode: PIN, limits: [ETHER], transactions: 100, ...order };
  return shop.call<OpenedSpendingSession>(token, 'POST', `/api/wallets/${wallet}/sessions`, body);
}

async function open(
  order: object = {},
  where: Parameters<typeof ask>[1] = {},
): Promise<OpenedSpendingSession> {
  const { outcome, body } = await ask(order, where);
  assert.equal(outcome, '201', JSON.stringify(body));
  return body;
}

async function sessions(wallet = till.id): Promise<SpendingSession[]> {
  return (await shop.call<SpendingSession[]>(shop.shop, 'GET', `/api/wallets/${wallet}/sessions`)).body;
}

async function used({ id }: SpendingSession): Promise<number | undefined> {
  return (await sessions()).find((one) => one.id === id)?.transactionsUsed;
}

function pay({ token }: { token: string }, more: object = {}, key?: string) {
  const to = Key.createRandom().address;
  return shop.execute(
    { type: 'ETH_TRANSACTION', walletId: till.id, to, value: '1', session: token, ...more },
    key,
  );
}

function payToken({ token }: { token: string }, value: number, tokenAddress = ethereum.contracts.DUSD) {
  const to = Key.createRandom().address;
  const request = { type: 'ETHEREUM_ERC20_TRANSACTION', walletId: till.id, to, tokenAddress, value };
  return shop.execute({ ...request, session: token });
}

async function nonce(): Promise<number> {
  await mined(provider);
  return provider.getTransactionCount(till.address);
}

test('a token spends in place of the PIN, and its use can be read', async () => {
  const session = await open({ limits: [ETHER, { token: ethereum.contracts.DUSD, amount: '50' }] });
  assert.equal(Date.parse(session.expiresAt) - now, 5 * MINUTE);
  const to = Key.createRandom().address;
  const value = parseEther('0.25');
  assert.equal((await pay(session, { to, value: String(value) })).outcome, '200');
  assert.equal((await payToken(session, 20)).outcome, '200');
  await mined(provider);
  assert.equal(await provider.getBalance(to), value);
  const found = (await sessions()).find(({ id }) => id === session.id)!;
  assert.equal(found.transactionsUsed, 2);
  assert.deepEqual(Object.keys(found), [
    'id',
    'createdAt',
    'expiresAt',
    'transactions',
    'transactionsUsed',
    'limits',
  ]);
  const [coin, token] = found.limits;
  // The fees count, too.
  assert.ok(BigInt(coin!.used) > value && BigInt(coin!.used) < value + parseEther('0.05'), coin!.used);
  assert.deepEqual(token, { token: ethereum.contracts.DUSD.toLowerCase(), amount: '50', used: '20' });
});

test('an invalid request to open one is refused at its field', async () => {
  const orders: Record<string, object> = {
    '400 request.invalid limits.0.amount': { limits: [{ amount: '0' }] },
    '400 request.invalid limits': { limits: [] },
    '400 request.invalid transactions': { transactions: 0 },
    '400 request.invalid limits.1.token': { limits: [ETHER, ETHER] },
    '400 request.invalid limits.0.token': { limits: [{ ...ETHER, token: till.address }] },
    '403 pincode.wrong': { pincode: '112233' },
  };
  for (const [expected, order] of Object.entries(orders)) assert.equal((await ask(order)).outcome, expected);
  const user = await shop.user();
  const { id } = await user.wallet();
  const path = `/api/wallets/${id}/sessions`;
  const body = { pincode: PIN, limits: [ETHER], transactions: 1 };
  assert.equal((await user.call('POST', path, body)).outcome, '403 token.scope');
  assert.equal((await ask({}, { wallet: id })).outcome, '403 wallet.forbidden');
});

test('a request has either a PIN or a token, and only execute takes a token', async () => {
  const { token } = await open();
  const body = { type: 'ETH_TRANSACTION', walletId: till.id, to: till.address, value: '1' };
  const execute = (more: object) =>
    shop.call(shop.shop, 'POST', '/api/transactions/execute', { ...body, ...more });
  assert.equal((await execute({})).outcome, '400 request.invalid pincode');
  assert.equal((await execute({ pincode: PIN, session: token })).outcome, '400 request.invalid session');
  assert.equal((await execute({ session: `${token}x` })).outcome, '400 request.invalid session');
  // As build answers it.
  const answered = await execute({ pincode: null, session: token });
  assert.equal(answered.outcome, '200');
  const sign = { type: 'ETHEREUM_RAW', walletId: till.id, data: '0x12', session: token };
  for (const [path, sent] of [
    ['/api/signatures', sign],
    ['/api/transactions/batch', { walletId: till.id, session: token, transactions: [body] }],
    [
      '/api/transactions/batch',
      { walletId: till.id, pincode: PIN, transactions: [{ ...body, session: token }] },
    ],
    [`/api/transactions/${answered.body.transactionHash}/speed-up`, { walletId: till.id, session: token }],
    [`/api/transactions/${answered.body.transactionHash}/cancel`, { walletId: till.id, session: token }],
    [`/api/wallets/${till.id}/export`, { session: token }],
    [`/api/wallets/${till.id}/sessions`, { session: token, limits: [ETHER], transactions: 1 }],
    ['/api/pincode', { session: token, next: OTHER_PIN, walletId: till.id }],
  ] as const)
    assert.match(
      (await shop.call(shop.shop, 'POST', path, sent, { 'Idempotency-Key': path })).outcome,
      /^400 request.invalid .*session/,
      path,
    );
});

test('a transaction over a limit, or one that cannot be counted, is not signed', async () => {
  const DUSD = ethereum.contracts.DUSD;
  const session = await open({ limits: [ETHER, { token: DUSD, amount: '50' }], transactions: 3 });
  const start = await nonce();
  const of = ({ outcome, body }: Answered<{ details: Record<string, unknown> }>) =>
    [outcome, body.details['reason'], body.details['token']].filter(Boolean).join(' ');
  const data = (name: 'transfer' | 'approve', amount: number) =>
    ERC20.encodeFunctionData(name, [till.address, amount]);
  assert.equal(of(await pay(session, ETHER && { value: ETHER.amount })), `${LIMIT} amount`);
  assert.equal(of(await payToken(session, 51)), `${LIMIT} amount ${DUSD.toLowerCase()}`);
  assert.equal(
    of(await pay(session, { to: DUSD, value: '0', data: data('transfer', 51) })),
    `${LIMIT} amount ${DUSD.toLowerCase()}`,
  );
  assert.equal(
    of(await pay(session, { to: DUSD, value: '0', data: data('approve', 1) })),
    `${LIMIT} not-counted`,
  );
  assert.equal(
    of(await pay(session, { to: DUSD, value: '0', data: '0x12345678', gas: 90_000 })),
    `${LIMIT} not-counted`,
  );
  assert.equal(of(await pay(session, { to: undefined, value: '0', data: '0x00' })), `${LIMIT} not-counted`);
  assert.equal((await pay(session, { nonce: start + 1 })).outcome, '400 request.invalid nonce');
  const network = { name: 'mine', nodeUrl: ethereum.url };
  assert.equal((await pay(session, { network })).outcome, '400 request.invalid network');
  assert.equal(await nonce(), start);
  assert.equal(await used(session), 0);
  // One after another, they count together.
  assert.equal((await payToken(session, 30)).outcome, '200');
  assert.equal(of(await payToken(session, 21)), `${LIMIT} amount ${DUSD.toLowerCase()}`);
  assert.equal((await payToken(session, 20)).outcome, '200');
  assert.equal((await pay(session)).outcome, '200');
  assert.equal(of(await pay(session)), `${LIMIT} transactions`);
  assert.equal(await nonce(), start + 3);
});

test('an unlisted token is not covered, nor is a fee without a limit of the coin', async () => {
  const { token } = await open({ limits: [{ token: ethereum.contracts.DUSD, amount: '5' }] });
  const { body } = await payToken({ token }, 5);
  assert.deepEqual(body.details, { reason: 'amount', left: '0' });
});

test('100 concurrent uses stay within count and amount', async () => {
  const start = await nonce();
  const counted = await open({ transactions: 3 });
  const first = await Promise.all(Array.from({ length: 92 }, () => pay(counted)));
  assert.equal(first.filter(({ outcome }) => outcome === '200').length, 3);
  const session = await open({ limits: [{ amount: String(parseEther('0.25')) }] });
  const value = String(parseEther('0.1'));
  const then = await Promise.all(Array.from({ length: 8 }, () => pay(session, { value })));
  assert.equal(then.filter(({ outcome }) => outcome === '200').length, 2);
  assert.ok([...first, ...then].every(({ outcome }) => outcome === '200' || outcome === LIMIT));
  assert.equal(await nonce(), start + 5);
});

test('what a session does not cover is not counted, whatever was checked before', async () => {
  const { db, custody } = shop.service.service;
  const token = ethereum.contracts.DUSD.toLowerCase();
  const session = await open({ limits: [ETHER, { token, amount: '50' }], transactions: 1 });
  const count = (amounts: Record<string, bigint>): Promise<void> =>
    db
      .transaction()
      .execute((tx) => custody.sessions.count(tx, session.id, new Map(Object.entries(amounts))));
  // The coin has no name.
  for (const amounts of [
    { '': parseEther('2') },
    { '': 1n, [token]: 51n },
    { '0x0000000000000000000000000000000000000001': 1n },
  ])
    await assert.rejects(count(amounts), { code: 'wallet.session.ended' });
  assert.equal(await used(session), 0);
  await count({ '': 1n, [token]: 50n });
  assert.equal(await used(session), 1);
  await assert.rejects(count({ '': 1n }), { code: 'wallet.session.ended' });
});

test('a repeated request counts once, even after the session', async () => {
  const session = await open();
  const to = Key.createRandom().address;
  const first = await pay(session, { to }, 'session-order');
  assert.equal(first.outcome, '200');
  assert.deepEqual((await pay(session, { to }, 'session-order')).body, first.body);
  assert.equal(await used(session), 1);
  await shop.call(shop.shop, 'DELETE', `/api/wallets/${till.id}/sessions/${session.id}`);
  assert.deepEqual((await pay(session, { to }, 'session-order')).body, first.body);
  assert.equal((await pay(session, {}, 'session-order-2')).outcome, ENDED);
  // At once, and with nothing left when the second one's turn comes.
  const last = await open({ transactions: 1 });
  const both = await Promise.all(
    [{ to }, { to, pincode: null }].map((more) => pay(last, more, 'session-order-3')),
  );
  assert.deepEqual(both[0]!.body, both[1]!.body);
  assert.equal(both[0]!.outcome, '200');
});

test('a transaction that no node has accepted yet is counted', async () => {
  const session = await open();
  onCall = async (calls) => {
    if (calls.some(({ method }) => method === 'eth_sendRawTransaction')) throw new Error('down');
  };
  assert.equal((await pay(session)).outcome, '502 node.unreachable');
  assert.equal(await used(session), 1);
  onCall = undefined;
  assert.equal((await pay(session)).outcome, '200');
  assert.equal(await used(session), 2);
});

test('a session that ends while its transaction is prepared signs nothing', async () => {
  const start = await nonce();
  const session = await open();
  onCall = async () => {
    onCall = undefined;
    await shop.call(shop.shop, 'DELETE', `/api/wallets/${till.id}/sessions/${session.id}`);
  };
  assert.equal((await pay(session)).outcome, ENDED);
  assert.equal(await nonce(), start);
});

test('a PIN change, a revocation or the end of its time while the node is asked signs nothing, either', async () => {
  const { db } = shop.service.service;
  const rivals: Record<string, (made: Awaited<ReturnType<typeof client>>) => Promise<unknown>> = {
    'PIN change': async ({ token, wallet: { id: walletId } }) => {
      const changed = await shop.call(token, 'POST', '/api/pincode', {
        walletId,
        pincode: PIN,
        next: OTHER_PIN,
      });
      assert.equal(changed.outcome, '200', JSON.stringify(changed.body));
    },
    'revoked secret': async ({ rotate }) => rotate(),
    'revoked client': async ({ id }) => revokeClient(db, id),
    archive: async ({ token, wallet: { id } }) => {
      const archived = await shop.call(token, 'PATCH', `/api/wallets/${id}`, { archived: true });
      assert.equal(archived.outcome, '200', JSON.stringify(archived.body));
    },
    'end of its time': async () => (now += 5 * MINUTE),
  };
  for (const [name, happen] of Object.entries(rivals)) {
    const made = await client();
    const { token, wallet } = made;
    const session = await open({}, { wallet: wallet.id, token });
    onCall = async () => {
      onCall = undefined;
      await happen(made);
    };
    const body = { type: 'ETH_TRANSACTION', walletId: wallet.id, to: wallet.address, value: '1' };
    const { outcome } = await shop.call(token, 'POST', '/api/transactions/execute', {
      ...body,
      session: session.token,
    });
    assert.equal(outcome, ENDED, name);
    const signed = await db
      .selectFrom('transactions')
      .select('id')
      .where('wallet_id', '=', wallet.id)
      .execute();
    assert.deepEqual(signed, [], name);
  }
});

test('it ends after five minutes, and setting the clock back does not prolong it', async () => {
  const session = await open();
  now += 5 * MINUTE - 1;
  assert.equal((await pay(session)).outcome, '200');
  now += 1;
  assert.equal((await pay(session)).outcome, ENDED);
  assert.equal(await used(session), undefined);
  now -= 60 * MINUTE;
  assert.equal((await pay(session)).outcome, ENDED);
});

test('it ends with the PIN, with the wallet, and by its own call', async () => {
  const { id: walletId, address, recoveryCode } = await shop.wallet('ETHEREUM', { identifier: 'ending' });
  await ethereum.fund(address, parseEther('1'));
  const path = `/api/wallets/${walletId}`;
  let pin = PIN;
  let code = recoveryCode!;
  const call = (method: string, to: string, body?: object) =>
    shop.call<{ recoveryCode: string }>(shop.shop, method, to, body);
  const endings: Record<string, (id: string) => Promise<unknown>> = {
    'its end': (id) => call('DELETE', `${path}/sessions/${id}`),
    'a new PIN': async () => {
      await call('POST', '/api/pincode', { pincode: pin, next: OTHER_PIN, walletId });
      pin = OTHER_PIN;
    },
    recovery: async () => {
      const { body } = await call('POST', '/api/pincode/recover', {
        recoveryCode: code,
        next: PIN,
        walletId,
      });
      [pin, code] = [PIN, body.recoveryCode];
    },
    archiving: async () => {
      await call('PATCH', path, { archived: true });
      await call('PATCH', path, { archived: false });
    },
  };
  for (const [what, ending] of Object.entries(endings)) {
    const session = await open({ pincode: pin }, { wallet: walletId });
    assert.equal((await pay(session, { walletId })).outcome, '200', what);
    await ending(session.id);
    assert.equal((await pay(session, { walletId })).outcome, ENDED, what);
    assert.deepEqual(await sessions(walletId), [], what);
  }
  const again = await open({ pincode: pin }, { wallet: walletId });
  await call('PATCH', path, { archived: true });
  assert.equal((await pay(again, { walletId })).outcome, '409 wallet.archived');
  assert.equal((await ask({ pincode: pin }, { wallet: walletId })).outcome, '409 wallet.archived');
  assert.equal((await call('DELETE', `${path}/sessions/${again.id}`)).outcome, ENDED);
});

/** A client with a secret of its own, and a token for it. */
async function client(): Promise<{
  id: string;
  token: string;
  wallet: CreatedWallet;
  rotate(): Promise<string>;
}> {
  const { id, secret } = await shop.service.client(['whitelabel', 'view:wallets', 'sign:wallets']);
  const tokenBy = async (by: string) => {
    const body = { grant_type: 'client_credentials', client_id: id, client_secret: by };
    const answer = await shop.service.post(TOKEN_PATH, body);
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const token = await tokenBy(secret);
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
  const { body: wallet } = await shop.call<CreatedWallet>(token, 'POST', '/api/wallets', order);
  await ethereum.fund(wallet.address, parseEther('1'));
  return {
    id,
    token,
    wallet,
    /** Another secret, in place of the first one. Returns its token. */
    async rotate() {
      const { clientSecrets } = new ServiceClient({
        url: shop.service.url,
        clientId: id,
        clientSecret: secret,
      });
      const [first] = await clientSecrets.list().all();
      const made = await clientSecrets.create();
      await new ServiceClient({
        url: shop.service.url,
        clientId: id,
        clientSecret: made.secret,
      }).clientSecrets.revoke(first!.id);
      return tokenBy(made.secret);
    },
  };
}

test('it ends when the client secret behind it, or the client, is revoked', async () => {
  const { id, token, wallet, rotate } = await client();
  const spend = (by: string, session: OpenedSpendingSession) => {
    const body = { type: 'ETH_TRANSACTION', walletId: wallet.id, to: wallet.address, value: '1' };
    return shop.call(by, 'POST', '/api/transactions/execute', { ...body, session: session.token });
  };
  const first = await open({}, { wallet: wallet.id, token });
  assert.equal((await spend(token, first)).outcome, '200');
  const next = await rotate();
  assert.equal((await spend(next, first)).outcome, ENDED);
  const second = await open({}, { wallet: wallet.id, token: next });
  assert.equal((await spend(next, second)).outcome, '200');
  // Its own tokens are accepted for up to a second more.
  await revokeClient(shop.service.service.db, id);
  assert.match((await spend(next, second)).outcome, /^403 wallet.session.ended$|^401 token.invalid$/);
});

test('a token opens only its own wallet for its own client, and the database alone opens nothing', async () => {
  const { db } = shop.service.service;
  const session = await open();
  const other = await shop.wallet('ETHEREUM', { identifier: 'other' });
  assert.equal((await pay(session, { walletId: other.id })).outcome, ENDED);
  const wrong = session.token.slice(0, -43) + 'A'.repeat(43);
  assert.equal((await pay({ token: wrong })).outcome, ENDED);
  const change = (columns: object) =>
    db.updateTable('wallet_sessions').set(columns).where('id', '=', session.id).execute();
  const row = await db
    .selectFrom('wallet_sessions')
    .selectAll()
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(row).includes(session.token.slice(-43)));
  await change({ application_id: 'another' });
  assert.equal((await pay(session)).outcome, ENDED);
  await change({ application_id: row.application_id, master_version: 99 });
  assert.equal((await pay(session)).outcome, ENDED);
  await change({ master_version: row.master_version, share: Buffer.alloc(32) });
  assert.equal((await pay(session)).outcome, '500 wallet.decrypt.internal-error');
  await change({ share: row.share });
  assert.equal((await pay(session)).outcome, '200');
});

test('open sessions are listed page by page', async () => {
  const { id: wallet } = await shop.wallet('ETHEREUM', { identifier: 'listed' });
  const opened = [await open({}, { wallet }), await open({}, { wallet }), await open({}, { wallet })];
  const read = async (query: string) => {
    const path = `/api/wallets/${wallet}/sessions${query}`;
    const { body, headers } = await shop.call<{ id: string }[]>(shop.shop, 'GET', path);
    return {
      ids: body.map(({ id }) => id),
      next: nextPage(headers),
    };
  };
  const first = await read('?limit=2');
  const second = await read(first.next!);
  // Those of the same millisecond are in the order of their ids.
  assert.deepEqual([...first.ids, ...second.ids].sort(), opened.map(({ id }) => id).sort());
  assert.deepEqual([first.ids.length, second.next], [2, undefined]);
});

test('an ended session’s part of the key is deleted', async () => {
  const { db, custody } = shop.service.service;
  const { id: wallet } = await shop.wallet('ETHEREUM', { identifier: 'swept' });
  const kept = async () => {
    await asService(() => custody.sessions.sweep());
    const rows = await db
      .selectFrom('wallet_sessions')
      .select('id')
      .where('wallet_id', '=', wallet)
      .execute();
    return rows.map(({ id }) => id);
  };
  await open({}, { wallet });
  await shop.call(shop.shop, 'POST', '/api/pincode', { pincode: PIN, next: OTHER_PIN, walletId: wallet });
  assert.deepEqual(await kept(), []);
  const { id } = await open({ pincode: OTHER_PIN }, { wallet });
  now += 5 * MINUTE;
  // The clock of another process may be behind.
  assert.deepEqual(await kept(), [id]);
  now += MINUTE + 1;
  assert.deepEqual(await kept(), []);
});

test('policies also limit what a session signs, and what they refuse is not counted', async () => {
  const { id: walletId, address } = await shop.wallet('ETHEREUM', { identifier: 'limited' });
  await ethereum.fund(address, parseEther('1'));
  const session = await open({}, { wallet: walletId });
  assert.equal((await pay(session, { walletId })).outcome, '200');
  const { access_token: office } = await shop.service.tokens(['manage:policies']);
  const set = await shop.call(office, 'PUT', `/api/policies/wallet/${walletId}`, { recipients: [] });
  assert.equal(set.outcome, '200', JSON.stringify(set.body));
  assert.equal((await pay(session, { walletId })).outcome, '403 policy.refused');
  assert.equal((await sessions(walletId))[0]!.transactionsUsed, 1);
});

test('opening, using and ending one is in the audit log', async () => {
  const session = await open();
  const { body } = await pay(session);
  await shop.call(shop.shop, 'DELETE', `/api/wallets/${till.id}/sessions/${session.id}`);
  const { db, keys } = shop.service.service;
  const rows = (await listAudit(db, 1000)).filter(({ details }) => details.includes(session.id));
  assert.deepEqual(
    rows.map(({ action, subject }) => `${action} ${subject}`),
    ['opened', 'used', 'ended'].map((what) => `session.${what} wallet:${till.id}`),
  );
  assert.ok(rows[1]!.details.includes(body.transactionHash));
  assert.deepEqual((await verifyAudit(db, keys)).problems, []);
});

test('every part of a transaction counts, and the fee in the coin that pays it', () => {
  const amount = (raw: bigint, token?: string): Amount => ({ raw, decimals: 18, symbol: 'X', token });
  const part = (of: Amount, more: Partial<Part> = {}): Part => ({
    kind: 'transfer',
    amount: of,
    to: '0x1',
    ...more,
  });
  const energy = '0x0000000000000000000000000000456E65726779';
  const summary = (parts: Part[]): Summary =>
    ({
      ...parts[0]!,
      parts,
      fee: { expected: amount(1n, energy), maximum: amount(9n, energy) },
    }) as unknown as Summary;
  const parts = [
    part(amount(5n)),
    part(amount(7n, '0xAb')),
    part(amount(2n)),
    part(amount(4n, energy)),
    part(amount(0n, '0xCD')),
  ];
  assert.deepEqual(Object.fromEntries(outflowOf(summary(parts))), {
    '': 7n,
    '0xab': 7n,
    [energy.toLowerCase()]: 13n,
    '0xcd': 1n,
  });
  const refused = { code: 'wallet.session.limit' };
  assert.throws(() => outflowOf(summary([part(amount(5n)), part(amount(5n), { kind: 'call' })])), refused);
  assert.throws(() => outflowOf(summary([part(amount(5n)), part(amount(5n), { effects: [] })])), refused);
});
