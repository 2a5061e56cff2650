/** A clock that is set, a database that is slow or silent, a disk that is nearly full, and clients that say nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { createClient } from '../../service/auth/clients.ts';
import { ACCESS_AUDIENCE, ACCESS_TYPE } from '../../service/auth/token-issuer.ts';
import { joinDatabase } from '../../service/database/database.ts';
import { poll, within } from '../waiting.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';
import { startWire, urlOf, type Wire } from './wire.ts';

const DAY_MS = 86_400_000;
/** Of a query, in place of 40 s, and of a connection, in place of 5 s: a database that is silent runs out of them. */
const LIMITS = { queryMs: 1000, connectMs: 1000 };

let owner: Tested;
let service: Tested;
let wire: Wire;
let ahead = 0;
let as: Record<string, string>;
let client: { id: string; secret: string };

const clocks = { now: () => Date.now() + ahead, steady: () => performance.now() };

before(async () => {
  owner = await startTested();
  wire = await startWire(owner.config.databaseUrl ?? (await urlOf(owner.config.dataFolder)));
  service = await startTested(
    { databaseUrl: wire.url, masterKeyFile: owner.config.masterKeyFile },
    { pins: { cost: QUICK }, clocks },
  );
  client = await createClient(owner.service.db, { name: 'shop', scopes: ['view:wallets', 'whitelabel'] });
  as = bearer(((await (await grant()).json()) as { access_token: string }).access_token);
});
after(async () => {
  await service?.close();
  wire?.cut();
  await owner?.close();
});

function grant(at: Tested = service): Promise<Response> {
  return at.post(TOKEN_PATH, {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  });
}

const make = (at: Tested = service, headers = as): Promise<Response> =>
  at.post('/api/wallets', { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL' }, headers);
const list = (at: Tested = service, headers = as): Promise<Response> => at.get('/api/wallets', headers);

async function health(at: Tested = service): Promise<string> {
  const { database } = (await (await at.get('/health/ready')).json()) as { database: string };
  return database;
}

async function assertUnreachable(response: Response): Promise<void> {
  assert.equal(response.status, 503, response.url);
  assert.ok(Number(response.headers.get('retry-after')) > 0, response.url);
  const body = (await response.json()) as { code?: string; error?: string };
  assert.ok(body.code === 'service.unreachable' || body.error === 'server_error', response.url);
}

async function wallets(): Promise<number> {
  const { count } = await owner.service.db
    .selectFrom('wallets')
    .select((of) => of.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

for (const [what, jump] of [
  ['ahead', DAY_MS],
  ['behind', -DAY_MS],
] as const)
  test(`while its clock is a day ${what}, a process issues, accepts and stores nothing; once it is set, it goes on`, async () => {
    const before = await wallets();
    ahead = jump;
    for (const response of [await grant(), await make(), await list()]) await assertUnreachable(response);
    assert.equal(await health(), 'clock');
    assert.equal((await service.get('/health/live')).status, 200);
    assert.equal(await wallets(), before);
    ahead = 0;
    assert.equal((await list()).status, 200);
    assert.equal((await make()).status, 201);
    assert.equal(await health(), 'ok');
  });

test('a process whose clock is wrong does not start, and says by how much', async () => {
  const wrong = { now: () => Date.now() + DAY_MS, steady: () => performance.now() };
  const { masterKeyFile } = owner.config;
  await assert.rejects(startTested({ databaseUrl: wire.url, masterKeyFile }, { clocks: wrong }), {
    message: /^the clock of this machine is 86,400 s ahead of its database's\. Set it \(NTP\)/,
  });
});

test('a token from the future, of a process whose clock was ahead, is refused', async () => {
  const { id, key } = await service.service.signingKeys.current();
  const tokenAt = (seconds: number): Promise<string> => {
    const now = Math.floor(Date.now() / 1000) + seconds;
    return new SignJWT({ client_id: client.id, scope: 'view:wallets' })
      .setProtectedHeader({ alg: 'ES256', typ: ACCESS_TYPE, kid: id })
      .setIssuer(service.service.tokens.url())
      .setSubject(client.id)
      .setAudience(ACCESS_AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + 300)
      .sign(key);
  };
  assert.equal((await list(service, bearer(await tokenAt(10)))).status, 200);
  const refused = await list(service, bearer(await tokenAt(DAY_MS / 1000)));
  assert.equal(refused.status, 401);
  assert.equal(((await refused.json()) as { code: string }).code, 'token.invalid');
});

test('a database that is silent on open connections: every call is answered 503 in time, and later all of them work', async (t) => {
  const { masterKeyFile } = owner.config;
  const hasty = await startTested(
    { databaseUrl: wire.url, masterKeyFile },
    { pins: { cost: QUICK }, ...LIMITS },
  );
  t.after(() => hasty.close());
  // The limits hold for what does answer, too: whoever comes too late tries again.
  const { access_token } = await poll(async () => {
    const answer = await grant(hasty);
    return answer.ok && ((await answer.json()) as { access_token: string });
  }, 'a token');
  const headers = bearer(access_token);
  wire.silent = true;
  const [made, listed, live] = await within(
    Promise.all([make(hasty, headers), list(hasty, headers), hasty.get('/health/live')]),
    'answers',
  );
  await assertUnreachable(made);
  await assertUnreachable(listed);
  assert.equal(live.status, 200);
  assert.equal(await health(hasty), 'unavailable');
  wire.cut();
  wire.silent = false;
  await wire.mend();
  // A connection of the pool may still be breaking.
  await poll(async () => (await list(hasty, headers)).status === 200, 'the database');
  await poll(async () => (await make(hasty, headers)).status === 201, 'a wallet');
  await poll(async () => (await list()).status === 200, 'the database of the other service');
});

test('a database that is slow delays answers, and nothing else', async () => {
  wire.delayMs = 40;
  const slow = Promise.all(Array.from({ length: 5 }, () => make()));
  assert.equal((await service.get('/health/live')).status, 200);
  assert.deepEqual(
    (await slow).map(({ status }) => status),
    Array(5).fill(201),
  );
  wire.delayMs = 0;
});

test('the server keeps nothing for a process that is gone', async () => {
  const { db } = service.service;
  const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
    where name in ('idle_in_transaction_session_timeout', 'client_connection_check_interval', 'tcp_keepalives_idle')
    order by name`.execute(db);
  assert.deepEqual(
    rows.map(({ setting }) => setting),
    ['10000', '60000', '10'],
  );
});

test('on a disk that is nearly full nothing is stored, and what is stored can be read', async (t) => {
  if (owner.config.databaseUrl) return t.skip('the tests use an external database');
  const full = await startTested({}, { pins: { cost: QUICK }, freeBytes: Number.MAX_SAFE_INTEGER });
  t.after(() => full.close());
  const joined = await joinDatabase(full.config, { debug: () => {}, warn: () => {} });
  const { id, secret } = await createClient(joined.db, {
    name: 'shop',
    scopes: ['view:wallets', 'whitelabel'],
  });
  await joined.close();
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const answer = await full.post(TOKEN_PATH, body);
  const headers = bearer(((await answer.json()) as { access_token: string }).access_token);
  await assertUnreachable(await make(full, headers));
  assert.equal((await list(full, headers)).status, 200);
  assert.equal(await health(full), 'full');
});

test('clients that open connections and send nothing, or half a request, keep nobody waiting', async (t) => {
  const { port } = new URL(service.url);
  const halves = [
    '',
    'GET /api/wal',
    'POST /api/wallets HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{',
  ];
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, n): Promise<Socket> => {
      const socket = connect(Number(port), 'localhost').on('error', () => {});
      await once(socket, 'connect');
      socket.write(halves[n % halves.length]!);
      return socket;
    }),
  );
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await list()).status));
  assert.deepEqual(statuses, Array(20).fill(200));
});
