/** An extended public key as a receiving wallet: who may set it, what is told, and that no address is given twice. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { PayPage } from '../../src/api/pay.ts';
import type { Problem } from '../../src/api/problem.ts';
import type { ReceivingWallet, ReceivingWallets } from '../../src/api/receiving-wallet.ts';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { Network } from '../../src/chains/network.ts';
import {
  admitClient,
  canTakeAddress,
  noteUse,
  takeAddress,
  watchedAddresses,
} from '../../service/checkout/wallet-payments/addresses/take-address.ts';
import { hasKey, type KeyWallet, readKey } from '../../service/checkout/wallet-payments/receiving-keys.ts';
import { openKey, rewrapReceivingKeys } from '../../service/checkout/wallet-payments/sealed-keys.ts';
import { findReceivingWallets } from '../../service/checkout/wallet-payments/receiving-wallets.ts';
import { DEFAULTS } from '../../service/checkout/wallet-payments/wallet-payment-settings.ts';
import { withSession } from '../../service/checkout/sessions/transitions.ts';
import { inAccount } from '../../service/database/account-scope.ts';
import type { PaymentAddressRow, SessionRow } from '../../service/database/schema.ts';
import { accept, waitingRestore } from '../../service/restored/accept.ts';
import { moveKeys, SKIPPED } from '../../service/checkout/wallet-payments/move-keys.ts';
import descriptors from '../vectors/litecoin-descriptors.vectors.json' with { type: 'json' };
import { basic } from './harness.ts';
import { openTill, RECEIVER, type Till } from './wallet-payments-setup.ts';

const GENESIS = 'a'.repeat(64);
/** Addresses that the chain has transactions of. */
const usedAddresses = new Set<string>();
const node = createServer(({ url = '' }, response) => {
  const [, address] = /^\/address\/(\w+)\/txs$/.exec(url) ?? [];
  if (address === undefined) response.end(GENESIS);
  else response.setHeader('Content-Type', 'application/json').end(usedAddresses.has(address) ? '[{}]' : '[]');
});

const RATES = Array.from({ length: 3 }, (_, i) => ({ shape: 'plain', url: `http://127.0.0.1:9/${i}` }));

function networks(nodeUrl: string): Network[] {
  const base = { name: 'Test', kind: 'testnet' as const, nodes: [nodeUrl], tokens: [], genesis: GENESIS };
  const priced = (coin: string) => ({
    prices: { '*': { source: 'oracle', rates: { [`${coin}/EUR`]: RATES } } },
  });
  return [
    { ...base, ...priced('LTC'), id: 'ltc', secretType: 'LITECOIN' },
    { ...base, ...priced('LTC'), id: 'ltc-too', secretType: 'LITECOIN' },
    { ...base, ...priced('BTC'), id: 'btc', secretType: 'BITCOIN' },
    { ...base, ...priced('ETH'), id: 'eth', secretType: 'ETHEREUM', chainId: 5, genesis: undefined },
  ] as unknown as Network[];
}

/** The key of `m/84'/1'/0'`, and its first addresses on a test network. */
const LOCAL = descriptors.vectors.filter(({ kind }) => kind === 'local');
const DESCRIPTOR = LOCAL[0]!.descriptor;
const TPUB = /tpub\w+/.exec(DESCRIPTOR)![0];
const FIRST = 'tltc1q6rz28mcfaxtmd6v789l9rrlrusdprr9pesrjxk';
const GOOD = { secretType: 'LITECOIN', key: DESCRIPTOR };

let till: Till;
/** The shop's client, whose secret sets the key. */
let client: { id: string; secret: string };

before(async () => {
  await new Promise<void>((resolve) => {
    node.listen(0, '127.0.0.1', resolve);
  });
  till = await openTill(networks(`http://127.0.0.1:${(node.address() as AddressInfo).port}`));
  client = await openClient();
});
after(async () => {
  await till?.close();
  node.close();
});

async function openClient(): Promise<{ id: string; secret: string }> {
  return till.tested.client(CHECKOUT_SCOPES);
}

function put(body: unknown, as = client): Promise<Response> {
  return fetch(`${till.tested.url}/api/client/receiving-key`, {
    method: 'PUT',
    headers: { ...basic(as), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function set(body: unknown = GOOD, as = client): Promise<ReceivingWallet> {
  const response = await put(body, as);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as ReceivingWallet;
}

/** `key: is …` */
async function refusal(body: unknown, as = client): Promise<string> {
  const response = await put(body, as);
  const problem = (await response.json()) as Problem;
  const { issues = [] } = problem as unknown as { issues?: { path: string; message: string }[] };
  return `${response.status} ${problem.code} ${issues.map(({ path, message }) => `${path}: ${message}`).join('; ')}`;
}

/** Sessions of the application, like one that was created by a call. */
async function sessions(count: number, applicationId: string): Promise<SessionRow[]> {
  const { db } = till.tested.service;
  const { id } = await till.session();
  return inAccount(applicationId, async () => {
    const { rows } = await sql<SessionRow>`
      insert into checkout_sessions select (jsonb_populate_record(s, jsonb_build_object(
        'id', gen_random_uuid(), 'page_id', gen_random_uuid(), 'provider_session', null, 'application_id', ${applicationId}::text))).*
      from checkout_sessions s, generate_series(1, ${count}) where s.id = ${id} returning *`.execute(db);
    return rows;
  });
}

async function walletOf(applicationId: string): Promise<KeyWallet> {
  const [wallet] = await findReceivingWallets(till.tested.service.db, applicationId);
  assert.ok(wallet && hasKey(wallet));
  return wallet;
}

/** As the quote does, in the session's account. */
async function take(session: SessionRow, after?: () => void): Promise<PaymentAddressRow> {
  const { service } = till.tested;
  return inAccount(session.application_id, async () => {
    const wallet = await walletOf(session.application_id);
    return withSession(service.db, 'id', session.id, async (tx, current) => {
      const address = await takeAddress({ ...service, settings: DEFAULTS }, tx, {
        session: current!,
        wallet,
      });
      after?.();
      return address;
    });
  });
}

/** On the session's page. */
async function isOffered({ page_id }: SessionRow): Promise<boolean> {
  const response = await till.tested.get(`/pay/${page_id}/session`);
  const { wallet } = (await response.json()) as PayPage;
  return wallet !== null;
}

test('is set by the client’s secret alone, with the scope, and is answered by what identifies it', async () => {
  const wallet = await set();
  assert.equal(wallet.network, 'ltc');
  assert.equal(wallet.address, FIRST);
  assert.deepEqual(wallet.key, {
    id: wallet.key!.id,
    fingerprint: '73c5da0a',
    addresses: [FIRST, wallet.key!.addresses[1]!],
    highestIndex: null,
    lastPaidIndex: null,
    unpaid: 0,
    walletGapLimit: 20,
    gapWarning: false,
    maxGap: 200,
  });
  const byToken = await fetch(`${till.tested.url}/api/client/receiving-key`, {
    method: 'PUT',
    headers: { ...till.shop.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(GOOD),
  });
  assert.equal(byToken.status, 401);
  assert.match(await refusal(GOOD, { ...client, secret: 'wrong' }), /^401 token\.invalid/);
  assert.match(await refusal(GOOD, await till.tested.client(['checkout', 'webhooks'])), /^403 token\.scope/);
});

test('is nowhere in the clear: not in the database, an answer, a log or an event', async () => {
  await set();
  const { service, log } = till.tested;
  const secrets = [TPUB, DESCRIPTOR, DESCRIPTOR.slice(20, 60)];
  const { chainCode, publicKey } = await openKey(
    service.keys,
    await readKey(service.db, (await walletOf(client.id)).key_id),
  );
  const { rows } = await sql<{ text: string }>`select k::text as text from receiving_keys k
    union all select e.body from events e union all select a::text from audit_log a`.execute(service.db);
  assert.ok(rows.length > 2);
  for (const text of [...rows.map((row) => row.text), ...log]) {
    for (const secret of secrets) assert.ok(!text.includes(secret));
    for (const part of [chainCode, publicKey]) assert.ok(!text.includes(Buffer.from(part).toString('hex')));
  }
  await assert.rejects(
    openKey(service.keys, {
      ...(await readKey(service.db, (await walletOf(client.id)).key_id)),
      id: 'rk_other',
    }),
    /cannot be decrypted/,
  );
});

test('refuses other keys by the field, and repeats none', async () => {
  const xprv =
    'tprv8fSjRLhUFZWhTeYWmcZTaCFTwfGbw8AZvA4yW2tVDdH4nwWMCzE8aVFuHMFbdVtdKUs9Pu9s8pJv9bYkMpyg5VRpEZYxW4oo3sSUbvxUcwF';
  for (const [body, expected] of [
    [{ ...GOOD, key: xprv }, /^400 request\.invalid key: must not have a private key/],
    [{ ...GOOD, key: DESCRIPTOR.replace('tpub', 'tprv') }, /key: must not have a private key/],
    [{ ...GOOD, key: `${DESCRIPTOR}x` }, /key: has a wrong checksum/],
    [{ ...GOOD, key: descriptors.vectors[0]!.descriptor }, /key: is of the main network \(xpub\)/],
    [{ ...GOOD, network: 'btc' }, /network: must be a test network of LITECOIN/],
    [{ ...GOOD, secretType: 'ETHEREUM' }, /secretType: /],
    [{ ...GOOD, maxGap: 0 }, /maxGap: /],
    [{ ...GOOD, tolerance: 5.01 }, /tolerance: /],
    [{ ...GOOD, tolerance: -1 }, /tolerance: /],
    [{ ...GOOD, tolerance: 0.001 }, /tolerance: /],
    [{ ...GOOD, key: TPUB }, /firstAddress: is required/],
    [{ ...GOOD, key: TPUB, firstAddress: RECEIVER }, /firstAddress: is not the first native segwit address/],
    [{ ...GOOD, firstAddress: (await set()).key!.addresses[1] }, /firstAddress: is the address with index 1/],
  ] as const)
    assert.match(await refusal(body), expected);
  assert.ok(!till.tested.log.some((line) => line.includes(xprv)));
  assert.equal((await set({ ...GOOD, key: TPUB, firstAddress: FIRST })).key!.addresses[0], FIRST);
});

test('is of one account and one network', async () => {
  await set();
  const other = await openClient();
  assert.match(await refusal(GOOD, other), /key: is used by another account/);
  assert.match(await refusal({ ...GOOD, network: 'ltc-too' }), /key: is already used on ltc: /);
  assert.match(await refusal({ ...GOOD, secretType: 'BITCOIN' }), /key: is already used on ltc: /);
});

test('tells the application and the audit log what is set, once for each change', async () => {
  const own = await openClient();
  const key = await ownKey(1);
  const { db } = till.tested.service;
  const first = await set(key, own);
  await set(key, own);
  await set({ ...key, confirmations: 9, tolerance: 0.29 }, own);
  const events = await db
    .selectFrom('events')
    .select('body')
    .where('application_id', '=', own.id)
    .orderBy('created_at')
    .execute();
  const bodies = events.map(({ body }) => JSON.parse(body) as { type: string; data: object });
  assert.deepEqual(
    bodies.map(({ type, data }) => [type, data]),
    [
      ['receiving-wallet.changed', { receiving_wallets: [first] }],
      ['receiving-wallet.changed', { receiving_wallets: [{ ...first, confirmations: 9, tolerance: 0.29 }] }],
    ],
  );
  const noted = await db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('actor', '=', own.id)
    .execute();
  assert.equal(noted.length, 2);
  const [wallet] = (JSON.parse(noted[1]!.details) as { wallets: { tolerance: number }[] }).wallets;
  assert.equal(wallet!.tolerance, 0.29);
  assert.equal(noted[0]!.action, 'receiving-wallet.changed');
  assert.deepEqual(JSON.parse(noted[0]!.details), {
    by: 'secret',
    wallets: [
      {
        network: 'ltc',
        key: first.key!.id,
        fingerprint: first.key!.fingerprint,
        firstAddress: first.address,
        confirmations: 1,
      },
    ],
  });
});

/** Keys of other accounts of the same wallet, as tpub. */
async function ownKey(account: number): Promise<{ secretType: string; key: string }> {
  const { HDKey } = await import('@scure/bip32');
  const { mnemonicToSeedSync } = await import('@scure/bip39');
  const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`);
  const root = HDKey.fromMasterSeed(seed, { public: 0x045f1cf6, private: 0x045f18bc });
  return { secretType: 'LITECOIN', key: root.derive(`m/84'/1'/${account}'`).publicExtendedKey };
}

test('is set once by requests at the same time, of one account or of several', async () => {
  const [one, other] = [await openClient(), await openClient()];
  const key = await ownKey(10);
  const statuses = async (...by: (typeof client)[]): Promise<number[]> =>
    (await Promise.all(by.map((as) => put(key, as)))).map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(await statuses(one, one, one, one), [200, 200, 200, 200]);
  const [second, third] = [await ownKey(11), await ownKey(12)];
  await set(second, one);
  // Each retires the other.
  await Promise.all([key, second, third, key, second, third].map((each) => set(each, one)));
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from receiving_keys
    where application_id = ${one.id} and retired_at is null`.execute(till.tested.service.db);
  assert.deepEqual(rows, [{ count: 1 }]);
  assert.deepEqual(await statuses(one, other, other), [200, 400, 400]);
});

test('gives a hundred sessions at once a hundred addresses, and each the same again', async () => {
  const own = await openClient();
  await set(await ownKey(2), own);
  const all = await sessions(100, own.id);
  const taken = await Promise.all(all.map((session) => take(session)));
  assert.deepEqual(
    taken.map(({ address_index }) => address_index).toSorted((a, b) => a - b),
    Array.from({ length: 100 }, (_, i) => i),
  );
  assert.equal(new Set(taken.map(({ address }) => address)).size, 100);
  const again = await Promise.all(all.slice(0, 10).map((session) => take(session)));
  assert.deepEqual(
    again.map(({ address }) => address),
    taken.slice(0, 10).map(({ address }) => address),
  );
  const scripts = [taken[7]!.script, `0x0014${'00'.repeat(20)}`];
  const watched = await watchedAddresses(till.tested.service.db, 'ltc', scripts);
  assert.deepEqual(
    watched.map(({ session_id }) => session_id),
    [all[7]!.id],
  );
  // Two requests of one session at once.
  const [one] = await sessions(1, own.id);
  const both = await Promise.all([take(one!), take(one!)]);
  assert.deepEqual([both[0].address_index, both[1].address_index], [100, 100]);
});

test('what is rolled back gives its index to the next session', async () => {
  const own = await openClient();
  await set(await ownKey(3), own);
  const [first, second] = await sessions(2, own.id);
  await assert.rejects(
    take(first!, () => {
      throw new Error('the quote failed');
    }),
    /the quote failed/,
  );
  assert.equal((await take(second!)).address_index, 0);
});

test('is not offered with too many unpaid addresses, until one is paid; the merchant is warned before', async () => {
  const own = await openClient();
  const key = await ownKey(4);
  await set({ ...key, maxGap: 16 }, own);
  const { db } = till.tested.service;
  const all = await sessions(18, own.id);
  for (const session of all.slice(0, 14)) await take(session);
  assert.equal((await set({ ...key, maxGap: 16 }, own)).key!.gapWarning, false);
  for (const session of all.slice(14, 16)) await take(session);
  const full = await set({ ...key, maxGap: 16 }, own);
  assert.deepEqual(
    { ...full.key!, id: '', addresses: [], fingerprint: '' },
    {
      id: '',
      addresses: [],
      fingerprint: '',
      highestIndex: 15,
      lastPaidIndex: null,
      unpaid: 16,
      walletGapLimit: 36,
      gapWarning: true,
      maxGap: 16,
    },
  );
  const wallet = await walletOf(own.id);
  assert.equal(await canTakeAddress(db, wallet, undefined), false);
  assert.equal(await canTakeAddress(db, wallet, all[16]!.id), false);
  assert.equal(await canTakeAddress(db, wallet, all[3]!.id), true);
  await assert.rejects(take(all[16]!), { code: 'checkout.wallet.unavailable' });
  assert.equal(await isOffered(all[16]!), false);
  assert.equal(await isOffered(all[3]!), true);
  await noteUse(db, { key_id: wallet.key_id, address_index: 9 });
  await noteUse(db, { key_id: wallet.key_id, address_index: 4 });
  assert.equal((await set({ ...key, maxGap: 16 }, own)).key!.unpaid, 6);
  assert.equal(await isOffered(all[16]!), true);
  assert.equal((await take(all[16]!)).address_index, 16);
});

test('one IP address gets so many in an hour, whatever page it opens', async () => {
  const own = await openClient();
  await set(await ownKey(5), own);
  const wallet = await walletOf(own.id);
  const parts = { ...till.tested.service, settings: { ...DEFAULTS, addressesPerHour: 2 } };
  const [first, second, third, fourth] = await sessions(4, own.id);
  const admit = (session: SessionRow, from: string) => admitClient(parts, { session, wallet, client: from });
  await admit(first!, '2001:db8::1');
  await take(first!);
  await admit(second!, '2001:db8::2');
  // It has an address already.
  await admit(first!, '2001:db8::1');
  await assert.rejects(admit(third!, '2001:db8::ffff:1'), (error) => {
    assert.ok(error instanceof ConnectError);
    return error.code === 'request.rate-limited';
  });
  await admit(fourth!, '192.0.2.1');
});

test('a key that is set again goes on where it was; sessions keep their addresses meanwhile', async () => {
  const own = await openClient();
  const [key, other] = [await ownKey(6), await ownKey(7)];
  const before = await set(key, own);
  const [first, second, third] = await sessions(3, own.id);
  const address = await take(first!);
  await set(other, own);
  assert.equal((await take(first!)).address, address.address);
  assert.equal((await take(second!)).address_index, 0);
  const after = await set(key, own);
  assert.equal(after.key!.id, before.key!.id);
  assert.equal((await take(third!)).address_index, 1);
  const { db } = till.tested.service;
  const rows = await db
    .selectFrom('receiving_keys')
    .select(['id', 'retired_at'])
    .where('application_id', '=', own.id)
    .where('retired_at', 'is', null)
    .execute();
  assert.deepEqual(
    rows.map(({ id }) => id),
    [before.key!.id],
  );
});

const ADDRESS = { secretType: 'ETHEREUM', address: RECEIVER };

/** Of all wallets, after the call. */
async function addressesAfter(method: string, path: string, body?: unknown): Promise<string[]> {
  const { headers } = till.shop;
  const response = await fetch(`${till.tested.url}/account/settings/${path}`, {
    method,
    headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  assert.equal(response.status, 200, await response.text());
  const list = await till.tested.get('/account/settings/receiving-wallets', headers);
  const { wallets } = (await list.json()) as ReceivingWallets;
  return wallets.map(({ address }) => address);
}

/** Status and code. */
async function removeKey(id: string, by: Record<string, string>): Promise<string> {
  const url = `${till.tested.url}/api/client/receiving-key/${id}`;
  const response = await fetch(url, { method: 'DELETE', headers: by });
  const { code } = (await response.json()) as { code?: string };
  return [response.status, code].filter(Boolean).join(' ');
}

test('a token with the scope sets and removes addresses, and no call of it touches a key', async () => {
  const { shop, tested } = till;
  const { key, address } = await set(await ownKey(13), shop.client);
  const isSet = async (): Promise<boolean> => {
    const row = await readKey(tested.service.db, key!.id);
    return row.retired_at === null && (await walletOf(shop.applicationId)).key_id === key!.id;
  };
  const list = (...wallets: object[]) => addressesAfter('PUT', 'receiving-wallets', { wallets });
  assert.deepEqual(await addressesAfter('PUT', 'receiving-wallet', ADDRESS), [RECEIVER, address]);
  assert.deepEqual(await list(ADDRESS), [RECEIVER, address]);
  assert.deepEqual(await list(), [address]);
  assert.ok(await isSet());
  assert.deepEqual(await list(ADDRESS), [RECEIVER, address]);
  assert.deepEqual(await addressesAfter('DELETE', 'receiving-wallet'), [address]);
  assert.ok(await isSet());
  assert.equal(await removeKey(key!.id, shop.headers), '401 token.invalid');
  assert.ok(await isSet());
});

test('the client’s secret and scope remove a key; its sessions keep their addresses', async () => {
  const own = await openClient();
  const { db } = till.tested.service;
  const { key } = await set(await ownKey(14), own);
  const [session, later] = await sessions(2, own.id);
  const before = await take(session!);
  const others = [await till.tested.client(['checkout', 'webhooks']), await openClient()];
  assert.equal(await removeKey(key!.id, basic(others[0]!)), '403 token.scope');
  assert.equal(await removeKey(key!.id, basic(others[1]!)), '404 request.not-found');
  assert.equal(await removeKey(key!.id, basic({ ...own, secret: 'wrong' })), '401 token.invalid');
  assert.equal((await readKey(db, key!.id)).retired_at, null);
  assert.equal(await removeKey(key!.id, basic(own)), '200');
  assert.notEqual((await readKey(db, key!.id)).retired_at, null);
  assert.equal(await isOffered(later!), false);
  assert.deepEqual(await findReceivingWallets(db, own.id), []);
  const watched = await watchedAddresses(db, 'ltc', [before.script]);
  assert.deepEqual(
    watched.map(({ session_id }) => session_id),
    [session!.id],
  );
  assert.equal(await removeKey(key!.id, basic(own)), '404 request.not-found');
  const { details } = await db
    .selectFrom('audit_log')
    .select('details')
    .where('actor', '=', own.id)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  assert.deepEqual(JSON.parse(details), { by: 'secret', wallets: [] });
  const { body } = await db
    .selectFrom('events')
    .select('body')
    .where('application_id', '=', own.id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  assert.deepEqual((JSON.parse(body) as { data: object }).data, { receiving_wallets: [] });
});

test('after a restore, keys go on beyond what the chain has, and twenty more', async () => {
  const own = await openClient();
  await set(await ownKey(9), own);
  const { db, keys, networks: all } = till.tested.service;
  const some = await sessions(4, own.id);
  const addresses = [];
  for (const session of some) addresses.push(await take(session));
  const { key_id: id } = await walletOf(own.id);
  // The back-up has the first alone, and the third was paid since.
  usedAddresses.add(addresses[2]!.address);
  await db.deleteFrom('payment_addresses').where('key_id', '=', id).where('address_index', '>', 0).execute();
  await db.updateTable('receiving_keys').set({ next_index: 1 }).where('id', '=', id).execute();
  const moved = (await moveKeys(db, keys, all)).find((one) => one.id === id)!;
  assert.deepEqual(moved, { id, network: 'ltc', next: 3 + SKIPPED, paid: 2 });
  await db.insertInto('restores').values({ id: 'rs_1', backup_at: new Date() }).execute();
  const waiting = (await waitingRestore(db))!;
  await accept(db, keys, waiting, { wallets: 0, differences: [] }, [moved]);
  const [later] = await sessions(1, own.id);
  assert.equal((await take(later!)).address_index, 3 + SKIPPED);
  usedAddresses.clear();
});

test('is encrypted anew under a new master key', async () => {
  const own = await openClient();
  await set(await ownKey(8), own);
  const { db, keys } = till.tested.service;
  const row = await readKey(db, (await walletOf(own.id)).key_id);
  const version = await keys.current();
  const next = { current: async () => version + 1, mac: keys.mac.bind(keys) };
  next.mac = (label, of) => keys.mac(of > version ? `${label} of ${of}` : label, version);
  assert.deepEqual((await rewrapReceivingKeys(db, next, assert.fail)).failed, []);
  const renewed = await readKey(db, row.id);
  assert.equal(renewed.master_version, version + 1);
  assert.deepEqual(await openKey(next, renewed), await openKey(keys, row));
});
