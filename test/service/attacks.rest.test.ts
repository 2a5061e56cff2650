/**
 * A page that holds the user's token and knows every PIN, but lacks the frame's key, can only read and build. Every call of the contract
 * that takes a proof is tried; a new one fails the first test until it is listed.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import type { CreatedWallet, Wallet } from '../../src/api/wallet.ts';
import { listen } from '../../service/listen.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { OTHER_PIN, PIN } from './custody-setup.ts';
import { end, type ServiceProcess, startProcess } from './processes-setup.ts';
import { type Device, newDevice, startUsers, type User, type UsersTest } from './users-setup.ts';

const OWN_PIN = '418263';
const INVALID = '401 device.proof.invalid';
const UNKNOWN = '403 device.unknown';

let at: UsersTest;
let victim: User;
let stranger: User;
/** One wallet has the master PIN, the other its own PIN; the page knows both. */
let wallet: CreatedWallet;
let own: CreatedWallet;
/** The page's own key; anybody can create one. */
let page: Device;

before(async () => {
  at = await startUsers();
  [victim, stranger] = [await at.user(), await at.user()];
  [wallet, own] = [await victim.wallet(), await victim.wallet()];
  await victim.call('POST', `/api/wallets/${own.id}/pincode`, { pincode: PIN, next: OWN_PIN });
  await stranger.wallet();
  page = await newDevice();
});
after(() => at.close());

interface Attack {
  path?: Record<string, string>;
  body?: () => Record<string, unknown>;
  /** The outcome with the page's own key. */
  withOwnKey?: string;
}

const someCode = '0000-0000-0000-0000-0000-0000-0000-0000';
const native = () => ({
  type: 'ETH_TRANSACTION',
  walletId: wallet.id,
  to: `0x${'11'.repeat(20)}`,
  value: 1,
  pincode: PIN,
});
const draft = () => JSON.stringify({ secretType: 'ETHEREUM' });
const someHash = { hash: `0x${'12'.repeat(32)}` };
const noCode = '400 request.invalid recoveryCode';

const ATTACKS: Record<string, Attack> = {
  createWallet: {
    body: () => ({ walletType: 'THREEWAY_SHARED', secretType: 'ETHEREUM', pincode: PIN }),
    withOwnKey: UNKNOWN,
  },
  importWallet: {
    body: () => ({
      walletType: 'THREEWAY_SHARED',
      secretType: 'ETHEREUM',
      pincode: PIN,
      key: '11'.repeat(32),
    }),
    withOwnKey: UNKNOWN,
  },
  executeTransaction: { body: native },
  executeBatch: {
    body: () => ({ walletId: wallet.id, pincode: PIN, transactions: [{ ...native(), pincode: null }] }),
  },
  speedUpTransaction: { path: someHash, body: () => ({ walletId: wallet.id, pincode: PIN }) },
  cancelTransaction: { path: someHash, body: () => ({ walletId: wallet.id, pincode: PIN }) },
  executeApproved: { body: () => ({ walletId: wallet.id, pincode: PIN, draft: draft() }) },
  createSignature: {
    body: () => ({ type: 'ETHEREUM_RAW', walletId: wallet.id, data: '0x00', pincode: PIN }),
  },
  findRecipient: { body: () => ({ email: 'ada@example.com', secretType: 'ETHEREUM' }) },
  updateWallet: { body: () => ({ archived: true }) },
  exportWallet: { body: () => ({ pincode: PIN }) },
  setOwnPincode: { body: () => ({ pincode: PIN, next: OTHER_PIN }) },
  changePincode: { body: () => ({ pincode: PIN, next: OTHER_PIN }) },
  recoverPincode: { body: () => ({ recoveryCode: someCode, next: OTHER_PIN }), withOwnKey: noCode },
  renewRecoveryCode: { body: () => ({ pincode: PIN }) },
  enrolDevice: { body: () => ({ pincode: PIN, recoveryCode: someCode }), withOwnKey: noCode },
  listDevices: {},
  readPasskey: { withOwnKey: '200' },
  addPasskey: { body: () => ({ pincode: PIN, salt: 'A'.repeat(43), passkey: {} }) },
  removePasskey: { body: () => ({ recoveryCode: someCode }) },
  removeDevice: { path: { thumbprint: 'A'.repeat(43) } },
  readLinks: {},
  putLinks: { body: () => ({ origin: 'https://evil.example', walletIds: [wallet.id] }) },
};

const proven = (Object.entries(contract) as [string, Route][]).filter(([, { proof }]) => proof);
const spending = proven.filter(([, { proof }]) => proof !== 'optional');

interface Tried {
  method: string;
  path: string;
  url: string;
  body: Record<string, unknown> | undefined;
}

function tryOf(name: string, walletId = wallet.id): Tried {
  const { method, path: pattern } = (contract as unknown as Record<string, Route>)[name]!;
  const { path: values = {}, body } = ATTACKS[name]!;
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, part: string) => values[part] ?? walletId);
  return { method, path, url: at.service.url + path, body: body?.() };
}

/** Sends a request as the page would, with or without a proof. */
async function send({ method, path, body }: Tried, proof?: string): Promise<string> {
  const headers = proof === undefined ? {} : { DPoP: proof };
  return (await at.call(victim.token, method, path, body, headers)).outcome;
}

/** Every row of every table, except used proofs and tokens. */
async function everything(): Promise<string> {
  const { db } = at.service.service;
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
    db,
  );
  const kept = tables.filter(({ name }) => !/^(device_proofs|kysely|signing_keys|rate_counters)/.test(name));
  const dumps = await Promise.all(
    kept.map(({ name }) =>
      sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db),
    ),
  );
  return JSON.stringify(dumps.map(({ rows }, i) => [kept[i]!.name, rows]));
}

test('every call that spends, exports, enrols, links or changes a PIN is listed, and is served', () => {
  assert.deepEqual(Object.keys(ATTACKS).sort(), spending.map(([name]) => name).sort());
  assert.deepEqual(
    proven.filter(([, { proof }]) => proof === 'optional').map(([name]) => name),
    ['buildTransaction', 'readAccount'],
  );
  for (const [name, route] of proven) assert.ok(at.service.app.served.includes(route), name);
  // Writes without a proof must be known to be harmless.
  const open = (Object.entries(contract) as [string, Route][])
    .filter(([, route]) => at.service.app.served.includes(route))
    .filter(
      ([, { method, proof, scopes, application }]) => method !== 'GET' && scopes && !proof && !application,
    )
    .map(([name]) => name);
  // Estimate and build; what concerns policies is for applications alone.
  assert.deepEqual(open.sort(), [
    'approveTransaction',
    'createSwap',
    'estimateTransaction',
    'putPolicy',
    'withdrawPolicy',
  ]);
});

test('a page with the token and the PIN, but without the frame’s key, can only read and build', async (t) => {
  const before = await everything();
  for (const [name] of spending)
    await t.test(name, async () => {
      const tried = tryOf(name);
      const { method, url } = tried;
      const accessToken = victim.token;
      const by = (device: Device, claims: object = {}, header: object = {}) =>
        device.prove({ method, url, accessToken }, claims, header);
      const now = Math.floor(Date.now() / 1000);
      const bare = await at.call(victim.token, method, tried.path, tried.body);
      assert.equal(bare.outcome, INVALID, 'no proof');
      assert.equal(bare.headers.get('www-authenticate'), 'DPoP algs="ES256"');
      const scheme = { Authorization: `DPoP ${victim.token}` };
      const dpop = await at.call(victim.token, method, tried.path, tried.body, scheme);
      assert.equal(dpop.outcome, INVALID, 'the scheme DPoP without a proof');
      assert.equal(await send(tried, await by(page)), ATTACKS[name]!.withOwnKey ?? UNKNOWN, 'own key');
      assert.equal(await send(tried, await by(page, {}, { jwk: undefined })), INVALID);
      for (const [what, proof] of Object.entries({
        method: by(victim.device, { htm: method === 'PUT' ? 'POST' : 'PUT' }),
        path: by(victim.device, { htu: `${at.service.url}/api/account` }),
        origin: by(victim.device, { htu: `https://evil.example${tried.path}` }),
        token: victim.device.prove({ method, url, accessToken: stranger.token }),
        'no token': by(victim.device, { ath: undefined }),
        stale: by(victim.device, { iat: now - 90 }),
        future: by(victim.device, { iat: now + 300 }),
        'no time': by(victim.device, { iat: undefined }),
        type: by(victim.device, {}, { typ: 'JWT' }),
      }))
        assert.equal(await send(tried, await proof), INVALID, what);
      const twice = await by(victim.device);
      assert.equal(await send(tried, `${twice}, ${twice}`), INVALID, 'two proofs');
      const garbled = await fetch(url, {
        method,
        headers: { Authorization: `Bearer ${victim.token}`, 'Content-Type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{"half' }),
      });
      assert.equal(garbled.status, 401, 'the proof is checked before the body is read');
    });
  assert.equal(await everything(), before, 'nothing changed, and no PIN attempt was counted');
});

test('a used proof cannot be replayed', async () => {
  const tried = tryOf('exportWallet');
  const { method, url } = tried;
  const proof = await victim.device.prove({ method, url, accessToken: victim.token });
  const answers = await Promise.all([1, 2, 3, 4].map(() => send(tried, proof)));
  assert.deepEqual(answers.sort(), ['200', INVALID, INVALID, INVALID]);
});

test('another user’s enrolled device and PIN reach only their own wallets', async () => {
  const before = await everything();
  for (const walletId of [wallet.id, own.id])
    for (const [name] of spending) {
      const tried = tryOf(name, walletId);
      if (!JSON.stringify([tried.path, tried.body]).includes(walletId)) continue;
      const headers = { 'Idempotency-Key': name };
      const { outcome } = await stranger.call(tried.method, tried.path, tried.body, { headers });
      assert.equal(outcome, '403 wallet.forbidden', name);
    }
  for (const [name, body] of [
    ['changePincode', { pincode: OWN_PIN, next: OTHER_PIN, walletId: own.id }],
    ['renewRecoveryCode', { pincode: OWN_PIN, walletId: own.id }],
    ['recoverPincode', { recoveryCode: someCode, next: OTHER_PIN, walletId: own.id }],
  ] as const) {
    const { method, path } = tryOf(name);
    assert.equal((await stranger.call(method, path, body)).outcome, '403 wallet.forbidden', name);
  }
  assert.equal(await everything(), before);
  const seen = await stranger.call<Wallet[]>('GET', '/api/wallets');
  assert.equal(
    seen.body.some(({ id }) => [wallet.id, own.id].includes(id)),
    false,
  );
});

test('the token reads and builds without a proof, but an invalid proof is refused', async () => {
  const read = (path: string, headers = {}) => at.call(victim.token, 'GET', path, undefined, headers);
  assert.equal((await read('/api/wallets')).status, 200);
  assert.equal((await read(`/api/wallets/${wallet.id}`)).status, 200);
  const account = await read('/api/account');
  assert.deepEqual([account.body['hasMasterPin'], account.body['enrolled']], [true, false]);
  assert.equal((await read('/api/account', { DPoP: 'nonsense' })).outcome, INVALID);
  const target = { method: 'GET', url: `${at.service.url}/api/account`, accessToken: victim.token };
  const proof = await victim.device.prove(target);
  assert.equal((await read('/api/account', { DPoP: proof })).body['enrolled'], true);
  assert.equal((await read('/api/account', { DPoP: proof })).outcome, INVALID, 'replayed');
  const scheme = { DPoP: await victim.device.prove(target), Authorization: `DPoP ${victim.token}` };
  assert.equal(
    (await read('/api/account', scheme)).body['enrolled'],
    true,
    'as clients of RFC 9449 write it',
  );
});

/** A second process behind the same public URL, on a port that was just free. */
async function startBeside(settings: Record<string, string>): Promise<ServiceProcess & { reached: string }> {
  for (let tries = 0; ; tries++) {
    const { port, close } = await listen(() => {}, { port: 0, setting: 'port' });
    await close();
    try {
      const process = await startProcess({ ...settings, SERVICE_PORT: String(port) });
      return { ...process, reached: `http://localhost:${port}` };
    } catch (error) {
      if (tries === 3 || !/is taken/.test(String(error))) throw error;
    }
  }
}

test('200 concurrent wrong PINs over HTTP to two processes are counted exactly', async () => {
  const { config, service, url } = at.service;
  const { host, port, user, password, database } = (await runningCluster(config.dataFolder)) ?? {};
  const databaseUrl =
    config.databaseUrl ??
    `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`;
  const second = await startBeside({
    DATABASE_URL: databaseUrl,
    MASTER_KEY_FILE: config.masterKeyFile,
    SERVICE_URL: url,
  });
  try {
    const target = await at.user();
    const { id } = await target.wallet();
    const path = `/api/wallets/${id}/export`;
    let lost = 0;
    const attempt = async (i: number): Promise<string> => {
      for (;;) {
        const proof = await target.device.prove({
          method: 'POST',
          url: url + path,
          accessToken: target.token,
        });
        const response = await fetch((i % 2 ? second.reached : url) + path, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${target.token}`,
            'Content-Type': 'application/json',
            DPoP: proof,
          },
          body: JSON.stringify({ pincode: String(200_000 + i * 37) }),
        });
        const { code, details } = (await response.json()) as {
          code: string;
          details?: { attemptsLeft?: number };
        };
        // On a busy machine some wait too long for a connection to the database, and try again.
        if (code !== 'service.unreachable')
          return [code, details?.attemptsLeft].filter((part) => part !== undefined).join(' ');
        lost++;
      }
    };
    const tries = await Promise.all(Array.from({ length: 200 }, (_, i) => attempt(i)));
    const wrong = tries.filter((answer) => answer.startsWith('pincode.wrong'));
    const each = [4, 3, 2, 1].map((left) => `pincode.wrong ${left}`);
    assert.equal(new Set(wrong).size, wrong.length);
    assert.ok(
      wrong.every((answer) => each.includes(answer)) && wrong.length >= each.length - lost,
      `${lost} lost`,
    );
    assert.equal(tries.filter((answer) => answer === 'pincode.locked').length, 200 - wrong.length);
    const row = await service.db
      .selectFrom('pins')
      .select(['tries', 'cleared'])
      .where('id', '=', target.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { tries: 5, cleared: 0 });
    const { body } = await target.call('GET', '/api/account');
    assert.deepEqual([body['wrongPins'], body['hardLocked']], [5, false]);
  } finally {
    await end(second);
  }
});

test('neither a dump of the database nor the log reveals a PIN, key, code or token', async () => {
  const user = await at.user();
  const { id, recoveryCode } = await user.wallet();
  const { body: key } = await user.call('POST', `/api/wallets/${id}/export`, { pincode: PIN });
  const set = await user.call('POST', `/api/wallets/${id}/pincode`, { pincode: PIN, next: OWN_PIN });
  const { body: renewed } = await user.call('POST', '/api/pincode/recovery-code', { pincode: PIN });
  await user.call('POST', '/api/pincode', { pincode: PIN, next: OTHER_PIN });
  await user.call('POST', '/api/pincode/recover', { recoveryCode: renewed['recoveryCode'], next: PIN });
  const private_ = String(key['key']).replace(/^0x/, '');
  const codes = [recoveryCode, set.body['recoveryCode'], renewed['recoveryCode']].map(String);
  const places = { dump: await everything(), log: at.service.log.join('') };
  for (const [place, text] of Object.entries(places))
    for (const secret of [private_, ...codes, ...codes.map((code) => code.replaceAll('-', '')), user.token])
      assert.equal(text.toLowerCase().includes(secret.toLowerCase()), false, place);
  for (const pin of [PIN, OTHER_PIN, OWN_PIN])
    assert.doesNotMatch(places.log, new RegExp(`(?<![0-9a-f.-])${pin}(?![0-9a-f-])`), 'a PIN in the log');
  assert.match(private_, /^[0-9a-f]{64}$/);
});
